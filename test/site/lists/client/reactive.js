// Renders as Vue and Svelte do: changes of the state are collected in a microtask, and elements without keys are used
// again for other entries.
window.createView = function createView(list) {
  list.append(document.createComment('['), document.createComment(']'))
  let pending
  const flush = () => {
    const rows = pending
    pending = undefined
    const end = list.lastChild
    while (list.children.length > rows.length) list.lastElementChild.remove()
    rows.forEach(({ html }, at) => {
      const template = document.createElement('template')
      template.innerHTML = html
      const fresh = template.content.firstElementChild
      const known = list.children[at]
      if (!known) list.insertBefore(fresh, end)
      else if (known.outerHTML !== fresh.outerHTML) {
        for (const { name, value } of fresh.attributes) known.setAttribute(name, value)
        known.replaceChildren(...fresh.childNodes)
      }
    })
  }
  return (rows) => {
    if (!pending) queueMicrotask(flush)
    pending = rows
  }
}
