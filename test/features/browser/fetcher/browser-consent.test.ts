import { afterAll, describe, expect, it } from 'vitest'
import { createAdFilter } from '../../../../src/features/browser/ad-block/ad-filter.js'
import { startSite } from '../../../site/site.js'
import { openBrowser } from '../open-browser.js'
import { textOf } from '../../../kernel/fetch/open-fetcher.js'

const getList = async (): Promise<string> => ''
const browser = openBrowser({ filter: createAdFilter({ adLists: [], getList, now: Date.now }) })
afterAll(() => browser.close())

async function render(html: string, blockAds = true): Promise<{ text: string }> {
  await using site = await startSite({ pages: { '/page': `<!doctype html><title>Page</title>${html}` } })
  return { text: textOf(await browser.render(site.url('/page'), { blockAds })) }
}

const article = '<main><h1>Baking</h1><p>How to bake cookies, with your consent.</p></main>'
const longArticle = article.replace('</main>', `<p>${'An oven, a bowl and some flour. '.repeat(20)}</p></main>`)

describe('a consent question', () => {
  it('of a known vendor is refused and removed', async () => {
    const banner = `<div id="onetrust-consent-sdk"><div id="onetrust-banner-sdk" style="position: fixed; bottom: 0">
      <p>We value your privacy: cookies!</p><button id="onetrust-accept-btn-handler">Accept All</button>
      <button id="onetrust-reject-all-handler">Reject All</button></div></div>
      <script>
        document.getElementById('onetrust-reject-all-handler').onclick = () => { document.title = 'REFUSED' }
        document.getElementById('onetrust-accept-btn-handler').onclick = () => { document.title = 'ACCEPTED' }
      </script>`
    const { text } = await render(article + banner)
    expect(text).toContain('<title>REFUSED</title>')
    expect(text).not.toContain('We value your privacy')
    expect(text).toContain('How to bake cookies')
    expect((await render(article + banner, false)).text).toContain('We value your privacy')
  })

  it.each([
    [
      'bar',
      '<div class="x-cookiebar" style="position: fixed; top: 0">This site uses cookies. <button>Got it</button></div>',
    ],
    ['dialog', '<div role="dialog" aria-modal="true"><h2>Cookies?</h2><a href="#">Alle akzeptieren</a></div>'],
    ['dialog with a title of the first level', '<div role="dialog"><h1>Cookies</h1><button>Accept</button></div>'],
    [
      'bar in an overlay',
      '<div style="position: fixed; inset: 0"><div><div id="my-consent">Our cookies <button>Accept</button></div></div></div>',
    ],
    [
      'list of purposes in a frame over the page',
      `<p>${'An oven, a bowl and some flour. '.repeat(9)}</p><div style="position: fixed; inset: 0"><div style="position: fixed; inset: 0; background: black"></div>
        <div style="position: fixed; top: 9px"><b>Your choice</b><div class="consent-box">We and our partners use cookies.
        <ul>${'<li hidden>A purpose that nobody sees before the list is opened.</li>'.repeat(40)}</ul>
        <a href="/cookies">More</a> <button>Accept all</button></div></div></div>`,
    ],
    [
      'bar in Russian',
      '<div class="cookies" style="position: fixed; bottom: 0">Мы используем cookie. <button>Принять</button></div>',
    ],
    [
      'bar beside images with the names of properties',
      '<img name="querySelectorAll" alt=""><img name="body" alt=""><div id="gdpr" style="position: fixed">Cookies <button>Agree</button></div>',
    ],
    [
      'banner that appears late',
      `<script>setTimeout(() => document.body.insertAdjacentHTML('beforeend', '<div id="gdpr" style="position: sticky">Cookies <button>Agree</button></div>'), 300)</script>`,
    ],
  ])('that is a %s of an unknown vendor is removed', async (_what, banner) => {
    const { text } = await render(`${article}<div>${banner}</div>`)
    expect(text).toContain('How to bake cookies')
    expect(text.replace(/<script[^]*?<\/script>/g, '')).not.toMatch(/Got it|akzeptieren|Accept|Agree|Принять/)
  })

  it.each([
    ['a name', 'Wir verwenden Cookies, um unsere Seite zu verbessern.', 'Alle annehmen'],
    ['the word for cookies', 'Privatsphäre-Einstellungen: wir und unsere Partner verarbeiten Daten.', 'Alles zulassen'],
    ['a button that accepts', 'Diese Website verwendet Cookies.', 'Nur notwendige'],
    ['a vendor', 'Wir brauchen Ihre Einwilligung.', 'Ich stimme zu'],
    ['English', 'Utilizamos cookies propias.', 'Acepto'],
    ['English words', 'Ta strona używa ciasteczek. Ciasteczka!', 'Zgadzam się'],
  ])('without %s is removed: %s', async (_what, question, label) => {
    const pop = `<div class="x7"><div class="box" style="position: fixed; bottom: 0; z-index: 99"><header><h2>Hinweis</h2></header>
      <p>${question}</p><div><button>${label}</button> <a href="/mehr">Mehr</a></div></div></div>`
    const { text } = await render(`${longArticle}${pop}`)
    expect(text).toContain('How to bake cookies')
    expect(text).not.toContain(question)
    expect((await render(`${longArticle}${pop}`, false)).text).toContain(question)
  })

  it.each([
    [
      'a menu that stays, of a page about cookies',
      `${longArticle}<div style="position: sticky; top: 0"><nav><a href="/cookies">Cookies</a> <a href="/cakes">Cakes</a></nav><form><input name="q"><button>OK</button></form></div>`,
    ],
    [
      'a form to sign in over the page',
      `${longArticle}<div style="position: fixed; top: 0"><p>Sign in. We use cookies for this.</p><input type="password"><button>Okay</button></div>`,
    ],
    [
      'a header that stays, with a link to the settings',
      `${longArticle}<header style="position: fixed; top: 0"><b>Bakery</b> <a href="/c">Cookies</a> <button>Allow sound</button></header>`,
    ],
    [
      'a page about cookies',
      '<div class="cookie-recipes"><h2>Recipes</h2><p>Cookies</p><a href="/ok">OK cookies</a></div>',
    ],
    [
      'a page with a cookie policy',
      '<div id="cookie-policy"><p>We use cookies.</p><button>Manage cookies</button></div>',
    ],
    [
      'a page whose content is in an overlay',
      `<div style="position: fixed; inset: 0" class="cookie-app">${article}<button>Accept</button></div>`,
    ],
    [
      'an application over the whole window with a link to the settings',
      `<div style="position: fixed; inset: 0"><h2>News</h2><p>${'What was new on that day. '.repeat(9)}</p>
        <div class="privacy-links"><a href="/cookies">Cookie policy</a> <a href="/m">Manage consent</a></div></div>`,
    ],
    [
      'an application with a name of its own',
      '<div style="position: fixed; inset: 0" class="cookie-app"><h2>News</h2><p>It is new.</p><p>Cookies?</p><button>OK</button></div>',
    ],
    [
      'a sticky sidebar with a link to the settings',
      `${article}<div style="position: sticky; top: 0"><ul>${'<li><a href="/a">A page of the site</a></li>'.repeat(9)}</ul>
        <div class="privacy-links"><a href="/cookies">Cookies</a> <a href="/m">Manage consent</a></div></div>`,
    ],
    [
      'a sticky part about baking',
      `${article}<div class="cookie-recipes" style="position: sticky"><p>A cookie is sweet.</p><button>Okay, show more recipes</button></div>`,
    ],
    [
      'a dialog with other buttons',
      `${article}<dialog open><p>Our terms, with those on cookies.</p><button>Manage order</button><a href="/t">Agreements</a></dialog>`,
    ],
    ['a page that is one dialog', '<div role="dialog"><h1>Cookies</h1><p>Baked.</p><button>OK</button></div>'],
    ['a form in a dialog', '<div role="dialog"><p>Sign up for our letter</p><button>OK</button></div>'],
    [
      'a sticky footer',
      '<footer style="position: sticky"><a href="/cookies">Cookies</a> <a href="/terms">Terms</a></footer>',
    ],
  ])('is not recognized in %s', async (_what, html) => {
    const { text } = await render(`<div id="outer">${html}</div>`)
    const plain = (await render(`<div id="outer">${html}</div>`, false)).text
    expect(text).toBe(plain)
  })
})
