// How the lists go on. `createView` of the framework shows rows in a list.
const config = JSON.parse(document.querySelector('#config').textContent)
const { kind, framework, count, pageSize } = config
const main = document.querySelector('#list')

const fill = (template, { id, title, url, price }) =>
  template
    .replaceAll('{id}', id)
    .replaceAll('{title}', title)
    .replaceAll('{url}', url)
    .replaceAll('{price}', price.toFixed(2))
const toRows = (items) =>
  items.flatMap((item) => {
    const row = { key: String(item.id), html: fill(config.row, item) }
    return item.id % 7 === 6 ? [row, { key: `ad-${item.id}`, html: fill(config.ad, item) }] : [row]
  })
const ask = async (name, query) => {
  const answer = await fetch(`/lists/api/${name}?${new URLSearchParams({ n: count, ...query })}`)
  return answer.json()
}
const addAfter = (html) => main.insertAdjacentHTML('beforeend', html)

/** Returns the entries that are in the page's data. */
function readCatalogue() {
  const read = (id) => JSON.parse(document.querySelector(id).textContent)
  if (framework === 'hydrated') return read('#__NEXT_DATA__').props.pageProps.catalogue.lanterns
  return (framework === 'reactive' ? read('#state') : Reflect.get(window, '__INITIAL_STATE__')).catalogue.lanterns
}

/** Loads the entries of a list one part after the other. */
function createLoader() {
  let page = 1
  let cursor
  let offset = config.items.length
  if (framework === 'reactive') page = 0
  return async () => {
    if (kind === 'embedded') {
      const all = readCatalogue()
      const items = all.slice(offset, offset + pageSize)
      offset += items.length
      return { items, isLast: offset >= all.length }
    }
    if (kind === 'window') {
      const { items, total } = await ask('offset', { offset, limit: pageSize })
      offset += items.length
      return { items, isLast: offset >= total }
    }
    if (kind === 'more') {
      // The first part of the other frameworks came with the page.
      if (cursor === undefined && framework !== 'reactive') cursor = btoa(`after:${offset}`).replaceAll('=', '')
      const answer = await ask('cursor', cursor === undefined ? {} : { cursor })
      cursor = answer.nextCursor
      return { items: answer.lanterns, isLast: cursor === null }
    }
    page += 1
    const { results, pageInfo } = (await ask('page', { page })).data
    return { items: results, isLast: !pageInfo.hasNextPage }
  }
}

/** Lists that load more when their end comes into view, or when a button is clicked. */
async function startGrowing() {
  const list = main.querySelector('ul')
  const show = window.createView(list)
  const load = createLoader()
  let items = config.items
  let isLast = items.length >= count
  let isLoading = false
  const hasButton = kind === 'more' || kind === 'embedded'
  const grow = async () => {
    if (isLoading || isLast) return
    isLoading = true
    const part = await load()
    const known = new Set(items.map(({ id }) => id))
    items = [...items, ...part.items.filter(({ id }) => !known.has(id))]
    // An entry that many look at moves to the front.
    if (!hasButton && items.length > 8) items = [items[5], ...items.filter((_, at) => at !== 5)]
    isLast = part.isLast
    show(toRows(items))
    isLoading = false
    if (isLast) end()
  }
  const end = () => {
    main.querySelector('.load')?.remove()
    if (framework !== 'hydrated') addAfter('<p class="end">You have reached the end of the list.</p>')
  }
  if (framework === 'reactive') await grow()
  else if (framework === 'hydrated') show(toRows(items))
  if (isLast) return
  if (hasButton) {
    addAfter(`<div class="load"><button type="button">${config.moreLabel}</button></div>`)
    main.querySelector('.load button').addEventListener('click', () => void grow())
    return
  }
  if (kind === 'inner') main.classList.add('scroller')
  const scroller = kind === 'inner' ? main : document.scrollingElement
  if (framework === 'plain') {
    const isNearEnd = () => list.getBoundingClientRect().bottom < scroller.clientHeight + 300
    const target = kind === 'inner' ? main : window
    target.addEventListener('scroll', () => {
      if (isNearEnd()) void grow()
    })
    return
  }
  addAfter('<div class="load" style="height: 1px"></div>')
  const options = { root: kind === 'inner' ? main : null, rootMargin: '100px' }
  new IntersectionObserver((entries, observer) => {
    if (!entries.at(-1).isIntersecting) return
    const sentinel = entries.at(-1).target
    const watchAgain = async () => {
      await grow()
      // The observer reports changes only.
      observer.unobserve(sentinel)
      if (!isLast) setTimeout(() => observer.observe(sentinel), 30)
    }
    void watchAgain()
  }, options).observe(main.querySelector('.load'))
}

/** Lists of which only the rows in view are in the tree. */
async function startVirtual() {
  const height = 80
  const list = main.querySelector('ul')
  const show = window.createView(list)
  let items = framework === 'reactive' ? (await ask('offset', { offset: 0, limit: count })).items : config.items
  if (items.length === 0) return
  const rows = toRows(items)
  main.classList.add('virtual')
  // The window scrolls, or an element; rows are placed by padding, or each by itself.
  const scroller = framework === 'plain' ? document.scrollingElement : main
  if (framework !== 'plain') main.classList.add('scroller')
  if (framework === 'hydrated') main.classList.add('absolute')
  list.style.boxSizing = 'border-box'
  list.style.height = `${rows.length * height}px`
  const draw = () => {
    const top = framework === 'plain' ? Math.max(0, scrollY - list.offsetTop) : main.scrollTop
    const from = Math.max(0, Math.floor(top / height) - 2)
    const to = Math.min(rows.length, Math.ceil((top + scroller.clientHeight) / height) + 2)
    if (framework === 'hydrated')
      show(
        rows.slice(from, to).map(({ key, html }, at) => ({
          key,
          html: html.replace('<li ', `<li style="transform: translateY(${(from + at) * height}px)" `),
        })),
      )
    else {
      list.style.paddingTop = `${from * height}px`
      show(rows.slice(from, to))
    }
  }
  ;(framework === 'plain' ? window : main).addEventListener('scroll', draw)
  draw()
}

/** Parts of a list that are loaded when their tab or heading is clicked. */
function startTabs() {
  main.querySelector('ul').remove()
  if (count === 0) return
  const load = async (panel, list) => window.createView(list)(toRows((await ask('panel', { panel })).items))
  if (framework === 'hydrated') {
    const tabs = config.panels.map(
      (name, at) => `<button role="tab" aria-selected="false" aria-controls="panel">${name} ${at}</button>`,
    )
    addAfter(`<div role="tablist">${tabs.join('')}</div><div id="panel" role="tabpanel"></div>`)
    const all = [...main.querySelectorAll('[role=tab]')]
    const open = (tab) => {
      for (const other of all) other.setAttribute('aria-selected', String(other === tab))
      const list = document.createElement('ul')
      list.className = 'lanterns'
      main.querySelector('#panel').replaceChildren(list)
      void load(all.indexOf(tab), list)
    }
    for (const tab of all) tab.addEventListener('click', () => open(tab))
    open(all[0])
    return
  }
  config.panels.forEach((name, at) => {
    const list = '<ul class="lanterns"></ul>'
    if (framework === 'reactive') {
      addAfter(`<details><summary>${name}</summary>${list}</details>`)
      main.lastElementChild.addEventListener('toggle', ({ currentTarget }) => {
        const inner = currentTarget.querySelector('ul')
        if (inner.children.length === 0) void load(at, inner)
      })
      return
    }
    addAfter(
      `<h2><button aria-expanded="false" aria-controls="p${at}">${name}</button></h2><div id="p${at}" hidden>${list}</div>`,
    )
    const panel = main.lastElementChild
    const button = main.querySelector(`[aria-controls=p${at}]`)
    button.addEventListener('click', () => {
      const isOpen = button.getAttribute('aria-expanded') === 'true'
      // Only one is open at a time.
      for (const other of main.querySelectorAll('[aria-expanded]')) other.setAttribute('aria-expanded', 'false')
      for (const other of main.querySelectorAll('[id^=p]')) other.hidden = true
      button.setAttribute('aria-expanded', String(!isOpen))
      panel.hidden = isOpen
      const inner = panel.querySelector('ul')
      if (inner.children.length === 0) void load(at, inner)
    })
  })
}

/** Pages with URLs of their own. */
async function startPage() {
  if (framework === 'reactive') {
    const { results } = (await ask('page', { page: config.page })).data
    window.createView(main.querySelector('ul'))(toRows(results))
    document.querySelector('#pages').innerHTML = config.pagination
  } else if (framework === 'hydrated') window.createView(main.querySelector('ul'))(toRows(config.items))
}

if (count === 0) addAfter('<p>No lanterns were found.</p>')
const starts = { virtual: startVirtual, tabs: startTabs, numbered: startPage, next: startPage, cursor: startPage }
void (starts[kind] ?? startGrowing)()

// A footer that never ends.
let stories = 0
window.addEventListener('scroll', () => {
  if (scrollY + innerHeight < document.documentElement.scrollHeight - 50) return
  for (let more = 0; more < 3; more += 1) {
    stories += 1
    document
      .querySelector('#magazine')
      .insertAdjacentHTML('beforeend', `<li><a href="/magazine/${stories}">Story ${stories}</a></li>`)
  }
})
