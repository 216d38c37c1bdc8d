// Two helpers for the page's elements.

export const byId = (id) => document.getElementById(id);

/** An element with text and children; `null` children are left out. */
export function element(tag, ...children) {
  const made = document.createElement(tag);
  made.append(...children.filter((child) => child !== null));
  return made;
}
