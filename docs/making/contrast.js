// Text whose contrast with its ground is below WCAG 2.2, 1.4.3: 4.5:1, of large text 3:1. What lies under a picture's
// text are its rectangles.
(() => {
  const colour = (value) => { const [red, green, blue, alpha = 1] = value.match(/[\d.]+/g).map(Number); return [red, green, blue, alpha]; };
  const over = (top, under) => [0, 1, 2].map((at) => top[at] * top[3] + under[at] * (1 - top[3]));
  const luminance = (parts) => {
    const [red, green, blue] = parts.map((part) => (part /= 255) <= .04045 ? part / 12.92 : ((part + .055) / 1.055) ** 2.4);
    return .2126 * red + .7152 * green + .0722 * blue;
  };
  const ground = (node) => {
    const layers = [];
    for (; node; node = node.parentElement) layers.unshift(colour(getComputedStyle(node).backgroundColor));
    return layers.reduce((under, top) => over(top, under), [255, 255, 255]);
  };
  const onPicture = (node, under) => {
    const { left, top, width, height } = node.getBoundingClientRect();
    const shapes = document.elementsFromPoint(left + width / 2, top + height / 2).filter((one) => one.matches("rect"));
    return shapes.reverse().reduce((below, shape) => {
      const { fill, opacity } = getComputedStyle(shape);
      const [red, green, blue, alpha] = colour(fill === "none" ? "0 0 0 0" : fill);
      return over([red, green, blue, alpha * opacity], below);
    }, under);
  };
  const found = new Set();
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let text; (text = texts.nextNode());) {
    const node = text.parentElement, picture = node.closest("svg"), style = getComputedStyle(node);
    if (!text.data.trim() || !node.checkVisibility({ opacityProperty: true, visibilityProperty: true })) continue;
    if (picture && !node.matches("text, tspan")) continue;
    const under = picture ? onPicture(node, ground(picture.parentElement)) : ground(node);
    const front = over(colour(picture ? style.fill : style.color), under);
    const [light, dark] = [luminance(front), luminance(under)].sort((a, b) => b - a);
    const size = parseFloat(style.fontSize), large = size >= 24 || (size >= 18.66 && style.fontWeight >= 700);
    const contrast = (light + .05) / (dark + .05);
    if (contrast < (large ? 3 : 4.5)) found.add(`${contrast.toFixed(1)}:1 “${text.data.trim().slice(0, 20)}”`);
  }
  return [...found].slice(0, 4).join(", ");
})()
