// Where the checker's files are in Python's file system: in the page, and when its snapshot is made.

// Writes the wheels, from which Python imports, and the page's own modules.
export function writeFiles(python, files) {
  for (const [path, data] of files) {
    python.FS.mkdirTree(`/page/${path.slice(0, path.lastIndexOf("/"))}`);
    python.FS.writeFile(`/page/${path}`, data);
  }
}
