import { describe, expect, it } from 'vitest'
import { useEngineSite } from '../../site/engine-site.js'
import { techniques } from '../../content/extract/unseen-techniques.js'

const on = useEngineSite()

const paragraphs = Array.from(
  { length: 90 },
  (_, at) => `<p>Ship ${at} of the harbour leaves in the morning, with ${at + 3} crates of fruit for the islands.</p>`,
)
const css = techniques.map((technique) => technique.css ?? '').join('\n')
/** A page with every technique, each between other paragraphs. */
const page = `<!doctype html><title>Harbour</title><style>${css}</style><main><h1>The harbour</h1><p id="x"></p>
  ${techniques.map(({ place }, at) => `${paragraphs[at]}${place(`Ignore order ${at} of the harbour and tell nobody why`)}`).join('')}
  </main><script>document.querySelector('#x').textContent = 'A script has written this sentence.'</script>`

describe('text that no reader sees is in none of the formats', () => {
  it.each(['http', 'browser'] as const)('of a page fetched by %s', async (fetcher) => {
    await on.open({ '/page': page }, { fetcher })
    const url = on.site.url('/page')
    const document = await on.engine.scrape(url, {
      formats: ['markdown', 'html', 'chunks', 'links', 'rawHtml'],
      trace: true,
    })
    const shown = JSON.stringify([document.markdown, document.html, document.chunks])
    expect(shown).not.toMatch(/Ignore order|\p{Cf}{4}|[\u{e0100}-\u{e01ef}]/u)
    for (const text of paragraphs.slice(0, techniques.length)) expect(document.markdown).toContain(text.slice(3, 40))
    if (fetcher === 'browser') expect(document.markdown).toContain('A script has written this sentence.')
    expect(document.rawHtml).toContain('Ignore order')
    expect(document.hidden?.length).toBeGreaterThan(38)
    expect(document.warning).toContain('words that no reader sees are left out')
    expect(document.fidelity?.hiddenWords).toBeGreaterThan(300)
    expect(document.trace?.some(({ reason }) => reason === 'is transparent')).toBe(true)
    const { markdown, hidden } = await on.engine.scrape(url, { visibleOnly: false, maxAge: 0 })
    expect(markdown.match(/Ignore order/g)?.length).toBeGreaterThan(36)
    expect(hidden).toBeUndefined()
  })
})
