import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Branding } from '../../../src/features/branding/brand.js'
import { startSite, type Site } from '../../site/site.js'
import { openBrowser } from '../browser/open-browser.js'

const words = (count: number): string => 'plain words of a page '.repeat(count)

const shop = `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Home - Fernwood</title>
<meta name="theme-color" content="#0b6e4f"><meta property="og:image" content="/og.png">
<link rel="icon" href="/small.png" sizes="16x16"><link rel="icon" href="/large.png" sizes="64x64">
<script type="application/ld+json">{"@type": "Organization", "name": "Fernwood Ltd"}</script>
<style>
  :root { --color-primary: #0b6e4f; --color-danger: 0 84% 60%; --unused-accent: #ff00ff }
  body { margin: 0; background: #fdfcf8; color: #2b2b2b; font: 18px/1.5 "__Karla_1a2b3c", Arial, sans-serif }
  h1 { font: 700 48px/1.2 Lora, serif; margin: 0 0 24px } h2 { font: 700 32px/1.2 Lora, serif; margin: 0 0 24px }
  p { margin: 0 0 16px } small { font-size: 14px; color: #777 } main { padding: 32px } code { font-family: Menlo, monospace }
  header { background: #0b6e4f; padding: 16px } .cards { display: grid; grid-template-columns: 1fr 1fr; gap: 24px }
  a { color: #c1440e } .button { display: inline-block; padding: 12px 24px; border-radius: 8px; text-decoration: none }
  .solid { background: #0b6e4f; color: #fff; box-shadow: 0 1px 2px rgb(0 0 0 / 20%) }
  .line { border: 2px solid #0b6e4f; color: #0b6e4f; border-radius: 8px 8px 0 0 }
  input { border: 1px solid #ccc; border-radius: 4px; padding: 8px; background: #fff; color: #2b2b2b; transition: border-color 1s }
  input:focus { border-color: #c1440e; outline: none }
  .alert-success { background: #d1fadf; border-left: 4px solid #12b76a }
</style></head><body>
<header><a href="/"><img class="site-logo" src="/mark.svg" alt="Fernwood logo" width="120" height="40"></a></header>
<main><h1>Ferns</h1><p>${words(20)}<a href="/x">a link in the text</a></p><p>${words(10)}</p><h2>More</h2>
<small>${words(4)}</small><div class="cards"><p>${words(2)}<code>code</code></p><p>two</p></div>
<a class="button solid" href="/buy">Buy a fern</a> <a class="button line" href="/see">See all</a>
<form><input name="q"></form><div class="alert-success">Done</div>
<img src="/partner-logo.svg" alt="logo of a partner" width="120" height="40"></main>
<script>onfocus = () => document.title += '!'</script></body></html>`

const night = `<!doctype html><title>n</title><body style="background: oklch(0.2 0.02 250); color: white"><header>
<a href="/"><svg class="logo" width="40" height="40" style="color: rgb(1, 2, 3)"><use href="#mark"/></svg> Nightly</a></header>
<svg width="0" height="0"><symbol id="mark"><circle r="9" fill="currentColor"/></symbol></svg><p>${words(9)}</p></body>`

const svg = '<svg xmlns="http://www.w3.org/2000/svg" width="10" height="10"/>'

const browser = openBrowser()
let site: Site
beforeAll(async () => {
  site = await startSite({
    pages: {
      '/shop': shop,
      '/night': night,
      '/nothing': '',
      '/hotel': `<title>n</title><body style="background: #102030"><form>${['children', 'childNodes', 'matches', 'localName'].map((name) => `<input name="${name}">`).join('')}</form><p>${words(9)}</p>${['body', 'title', 'elementFromPoint', 'querySelector'].map((name) => `<img name="${name}" alt="">`).join('')}`,
      '/odd': '<title>n</title><script type="application/ld+json">{"@type":"Organization","logo":true}</script>',
      '/mark.svg': ({ response }) => void response.setHeader('content-type', 'image/svg+xml').end(svg),
    },
  })
})
afterAll(async () => {
  await browser.close()
  await site.close()
})

const look = async (path: string) =>
  (await browser.render(site.url(path), { captures: { branding: {} } })).captures?.['branding'] as Branding | undefined

it('describeBranding describes the colours, fonts, sizes, spacing, controls and logo of a site', async () => {
  const branding = await look('/shop')
  expect(branding).toEqual({
    colorScheme: 'light',
    brandName: 'Fernwood Ltd',
    logo: site.url('/mark.svg'),
    fonts: [{ family: 'Karla' }, { family: 'Lora' }, { family: 'Menlo' }],
    colors: {
      primary: '#0B6E4F',
      secondary: '#C1440E',
      background: '#FDFCF8',
      textPrimary: '#2B2B2B',
      textSecondary: '#777777',
      link: '#C1440E',
      success: '#12B76A',
      error: '#EF4343',
    },
    typography: {
      fontFamilies: { primary: 'Karla', heading: 'Lora', code: 'Menlo' },
      fontStacks: {
        primary: ['Karla', 'Arial', 'sans-serif'],
        heading: ['Lora', 'serif'],
        body: ['Karla', 'Arial', 'sans-serif'],
        paragraph: ['Karla', 'Arial', 'sans-serif'],
      },
      fontSizes: { h1: '48px', h2: '32px', body: '18px', small: '14px' },
      lineHeights: { body: 1.5, heading: 1.2 },
      fontWeights: { body: 400, heading: 700 },
    },
    spacing: {
      baseUnit: 8,
      padding: { button: '12px 24px', input: '8px' },
      margins: { paragraph: '16px', heading: '24px' },
      gridGutter: '24px',
      borderRadius: '8px',
    },
    components: {
      buttonPrimary: {
        background: '#0B6E4F',
        textColor: '#FFFFFF',
        borderRadius: '8px',
        shadow: 'rgba(0, 0, 0, 0.2) 0px 1px 2px 0px',
      },
      buttonSecondary: {
        background: 'transparent',
        textColor: '#0B6E4F',
        borderColor: '#0B6E4F',
        borderRadius: '8px',
        borderRadiusCorners: { topLeft: '8px', topRight: '8px', bottomRight: '0px', bottomLeft: '0px' },
      },
      input: {
        background: '#FFFFFF',
        textColor: '#2B2B2B',
        borderColor: '#CCCCCC',
        borderRadius: '4px',
        focusBorderColor: '#C1440E',
      },
    },
    images: {
      logo: site.url('/mark.svg'),
      logoHref: site.url('/'),
      logoAlt: 'Fernwood logo',
      favicon: site.url('/large.png'),
      ogImage: site.url('/og.png'),
    },
  })
  expect(await look('/shop')).toEqual(branding)
})

it('describeBranding recognizes a dark page, colours of any notation, and an inline logo', async () => {
  const branding = await look('/night')
  expect(branding).toMatchObject({ colorScheme: 'dark', brandName: 'Nightly' })
  expect(branding?.colors).toMatchObject({ background: expect.stringMatching(/^#0F171[DEF]$/), textPrimary: '#FFFFFF' })
  const logo = decodeURIComponent(branding?.logo ?? '')
  expect(logo).toMatch(/^data:image\/svg\+xml,<svg .*<symbol .*currentColor.*<use /)
  expect(logo).toContain('color="rgb(1, 2, 3)"')
})

it('takes no logo from linked data that name no URL', async () => {
  expect((await look('/odd'))?.logo).toBeUndefined()
})

it('describeBranding describes a page whose fields and images have the names of properties', async () => {
  expect(await look('/hotel')).toMatchObject({ colorScheme: 'dark', colors: { background: '#102030' } })
})

it('describeBranding describes an empty page without errors', async () => {
  expect(await look('/nothing')).toMatchObject({ colorScheme: 'light', colors: { background: '#FFFFFF' }, fonts: [] })
})
