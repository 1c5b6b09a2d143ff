// Renders as React does: what the server has sent is taken over by the first rendering, which begins after the page has
// loaded, and each rendering is done in slices between which the browser may draw.
window.createView = function createView(list) {
  const parse = (html) => {
    const template = document.createElement('template')
    template.innerHTML = html
    return template.content.firstElementChild
  }
  let fibers = new Map()
  let queue = []
  const channel = new MessageChannel()
  channel.port1.addEventListener('message', work)
  channel.port1.start()

  function work() {
    const end = performance.now() + 5
    while (queue.length > 0 && performance.now() < end) queue.shift()()
    if (queue.length > 0) channel.port2.postMessage(null)
  }

  return (rows) => {
    const next = new Map()
    queue = rows.map((row) => () => {
      const index = next.size
      const known = fibers.get(row.key)
      // The first rendering finds the server's elements by their place.
      const element = known?.html === row.html ? known.element : fibers.size === 0 && list.children[index]
      next.set(row.key, { html: row.html, element: element || parse(row.html) })
    })
    queue.push(() => {
      const elements = [...next.values()].map(({ element }) => element)
      for (const old of list.querySelectorAll(':scope > *')) if (!elements.includes(old)) old.remove()
      elements.forEach((element, at) => {
        if (list.children[at] !== element) list.insertBefore(element, list.children[at] ?? null)
      })
      fibers = next
    })
    channel.port2.postMessage(null)
  }
}
