// Changes the page as scripts without a framework do: it appends HTML, and moves what is there.
window.createView = function createView(list) {
  const shown = new Map()
  for (const row of list.children) shown.set(keyOf(row), row)
  return (rows) => {
    const wanted = new Set(rows.map(({ key }) => key))
    for (const [key, row] of shown) {
      if (wanted.has(key)) continue
      row.remove()
      shown.delete(key)
    }
    let last = null
    for (const { key, html } of rows) {
      if (!shown.has(key)) {
        list.insertAdjacentHTML('beforeend', html)
        shown.set(key, list.lastElementChild)
      }
      const row = shown.get(key)
      const next = last ? last.nextElementSibling : list.firstElementChild
      if (next !== row) list.insertBefore(row, next)
      last = row
    }
  }
}

function keyOf(row) {
  const [, kind, id] = /\/(entry|ads)\/(\d+)$/.exec(row.querySelector('a').getAttribute('href'))
  return kind === 'ads' ? `ad-${id}` : id
}
