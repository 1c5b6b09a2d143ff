/** An entry of the lists. */
export interface Lantern {
  readonly id: number
  readonly title: string
  readonly price: number
  readonly url: string
}

const metals = ['copper', 'brass', 'iron', 'tin', 'zinc']
const places = ['the harbour', 'an old mill', 'the lighthouse', 'a market stall', 'the railway', 'a farm', 'the cellar']

const createLantern = (id: number): Lantern => ({
  id,
  title: `Lantern ${id} of ${metals[id % metals.length] ?? ''} from ${places[id % places.length] ?? ''}`,
  price: 12.5 + id,
  url: `/lists/entry/${id}`,
})

/** Returns the entries from one position to before another. */
export const listLanterns = (from: number, to: number): Lantern[] =>
  Array.from({ length: Math.max(0, to - from) }, (_, at) => createLantern(from + at))

export const lanterns = (count: number): Lantern[] => listLanterns(0, count)

/** HTML of a row of each framework, and of an advertisement. */
export const rowTemplates = {
  plain:
    '<li class="item"><h3><a href="{url}">{title}</a></h3><img loading="lazy" data-src="/lists/image/{id}" alt=""><p>Price: <span class="price">€ {price}</span></p></li>',
  hydrated:
    '<li class="sc-1x2 gHkPqR"><div class="sc-9aa"><a class="sc-3b" href="{url}"><img loading="lazy" alt="" src="/lists/image/{id}"><span>{title}</span></a><span class="sc-7c">€ {price}</span></div></li>',
  reactive:
    '<li data-v-4f2a="" class="row"><a data-v-4f2a="" href="{url}">{title}</a><div data-v-4f2a="" class="cost">€ {price}</div></li>',
  ad: '<li class="ad"><a rel="sponsored" href="/ads/{id}">Candles for number {id}</a></li>',
} as const

/** Fills the template of a row. */
export const fillRow = (template: string, item: Lantern): string =>
  template
    .replaceAll('{id}', String(item.id))
    .replaceAll('{title}', item.title)
    .replaceAll('{url}', item.url)
    .replaceAll('{price}', item.price.toFixed(2))

/** Returns the rows of entries, with an advertisement after every seventh. */
export const listRows = (
  items: readonly Lantern[],
  framework: keyof typeof rowTemplates,
): { readonly key: string; readonly html: string }[] =>
  items.flatMap((item) => {
    const row = { key: String(item.id), html: fillRow(rowTemplates[framework], item) }
    return item.id % 7 === 6 ? [row, { key: `ad-${item.id}`, html: fillRow(rowTemplates.ad, item) }] : [row]
  })
