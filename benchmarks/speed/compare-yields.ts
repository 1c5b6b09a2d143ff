import type { Measurement } from './measure.js'
import type { Side } from './print-table.js'

/** Says which pages one side brought in and the other did not: a comparison is fair only where this is short. */
export function compareYields(results: ReadonlyMap<Side, readonly Measurement[]>): string {
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

/** Crawlee keeps the fragment of the link that it saw first. */
const withoutFragment = (url: string): string => url.replace(/#.*/, '')

function name(urls: readonly string[], word: string): string {
  const some = urls.slice(0, 3).map((url) => `\`${new URL(url).pathname}${new URL(url).search}\``)
  return urls.length === 0
    ? `no page ${word}`
    : `${urls.length} ${word} (${some.join(', ')}${urls.length > 3 ? ', …' : ''})`
}
