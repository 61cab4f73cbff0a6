// Code and tables that are wider than the page scroll; the keyboard must reach them (WCAG 2.1.1).
const reach = () => {
  for (const node of document.querySelectorAll("pre, .table-wrapper")) {
    if (node.scrollWidth > node.clientWidth) node.tabIndex = 0;
    else node.removeAttribute("tabindex");
  }
};
addEventListener("DOMContentLoaded", reach);
addEventListener("resize", reach);
