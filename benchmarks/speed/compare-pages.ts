import type { Measurement } from './measure.js'
import type { Side } from './print-table.js'

/** Lists the pages that one side scraped and the other did not. The comparison is fair only if these are few. */
export function comparePages(results: ReadonlyMap<Side, readonly Measurement[]>): string {
  const [first, ...others] = [...results].map(([side, [run]]) => ({
    side,
    urls: new Set(run?.urls.map(withoutFragment)),
    characters: run?.characters ?? 0,
  }))
  if (!first) return ''
  const lines = others.map(({ side, urls, characters }) => {
    const missing = [...first.urls].filter((url) => !urls.has(url))
    const more = [...urls].filter((url) => !first.urls.has(url))
    const markdown = `${(characters / 1e6).toFixed(1)} against ${(first.characters / 1e6).toFixed(1)} million characters of Markdown`
    return `- ${side.name}: ${name(missing, 'not scraped')}, ${name(more, 'more')} than by the ${first.side.name}; ${markdown}.`
  })
  return lines.join('\n')
}

/** Removes the fragment, as Crawlee keeps that of the first link to a page. */
const withoutFragment = (url: string): string => url.replace(/#.*/, '')

function name(urls: readonly string[], word: string): string {
  const some = urls.slice(0, 3).map((url) => `\`${new URL(url).pathname}${new URL(url).search}\``)
  return urls.length === 0
    ? `no page ${word}`
    : `${urls.length} ${word} (${some.join(', ')}${urls.length > 3 ? ', …' : ''})`
}
