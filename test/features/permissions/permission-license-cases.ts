import type { PermissionCase } from './permission-cases.js'

const RSL = 'RSL 1.0 section'

/** A licence file with these contents. */
const rsl = (...contents: readonly string[]): string =>
  `<?xml version="1.0"?><rsl xmlns="https://rslstandard.org/rsl">${contents.join('')}</rsl>`

const content = (url: string, ...licenses: readonly string[]): string =>
  `<content url="${url}">${licenses.map((terms) => `<license>${terms}</license>`).join('')}</content>`

const permits = (uses: string): string => `<permits type="usage">${uses}</permits>`
const prohibits = (uses: string): string => `<prohibits type="usage">${uses}</prohibits>`

/** A site whose robots.txt names a licence file. */
const licensed = (...contents: readonly string[]) => ({
  files: { '/robots.txt': 'License: ORIGIN/license.xml\nUser-agent: *\nAllow: /', '/license.xml': rsl(...contents) },
})

export const licenseCases: readonly PermissionCase[] = [
  {
    name: 'permitted uses',
    by: `${RSL} 3.5`,
    ...licensed(content('/', permits('search ai-input'))),
    expected: 'ggd',
    because: 'license.xml',
  },
  { name: 'prohibited uses', by: `${RSL} 3.6`, ...licensed(content('/', prohibits('ai-train'))), expected: '--d' },
  {
    name: 'permitted and prohibited',
    by: `${RSL} 3.1.1: the prohibition`,
    ...licensed(content('/', permits('ai-train search') + prohibits('ai-train'))),
    expected: 'gdd',
  },
  {
    name: 'a specific permission over all',
    by: `${RSL} 3.1.1: the more specific`,
    ...licensed(content('/', permits('search') + prohibits('all'))),
    expected: 'gdd',
  },
  { name: 'ai-all', by: `${RSL} 3.4.1`, ...licensed(content('/', prohibits('ai-all'))), expected: '-dd' },
  { name: 'all', by: `${RSL} 3.4.1`, ...licensed(content('/', permits('all'))), expected: 'ggg' },
  {
    name: 'a price for training',
    by: `${RSL} 3.7`,
    ...licensed(
      content(
        '/',
        permits('search'),
        `${permits('ai-train')}<payment type="training"><amount currency="USD">100</amount></payment>`,
      ),
    ),
    expected: 'gdd',
    because: 'asks a price: 100 USD (training)',
  },
  {
    name: 'attribution costs nothing',
    by: `${RSL} 3.7`,
    ...licensed(content('/', `${permits('ai-input')}<payment type="attribution"/>`)),
    expected: 'dgd',
  },
  {
    name: 'a free licence without limits',
    by: `${RSL} 3.5 and 3.7`,
    ...licensed(content('/', '<payment type="free"/>')),
    expected: 'ggg',
  },
  {
    name: 'a licence of a server',
    by: `${RSL} 3.3: must be obtained`,
    files: {
      '/robots.txt': 'License: /license.xml',
      '/license.xml': rsl(
        '<content url="/" server="https://server.example/"><license><payment type="free"/></license></content>',
      ),
    },
    expected: 'ddd',
  },
  {
    name: 'the most specific content',
    by: `${RSL} 4.9`,
    path: '/open/a',
    ...licensed(content('/', prohibits('all')), content('/open/*', permits('all'))),
    expected: 'ggg',
  },
  {
    name: 'an absolute URL',
    by: `${RSL} 3.3`,
    ...licensed(content('ORIGIN/page', prohibits('ai-train'))),
    expected: '--d',
  },
  {
    name: 'the URL of another site',
    by: `${RSL} 3.3`,
    ...licensed(content('https://other.example/', prohibits('all'))),
    expected: '---',
  },
  {
    name: 'a licence of a group',
    by: `${RSL} 4.4.2`,
    files: {
      '/robots.txt': 'License: /all.xml\n\nUser-agent: trawl\nLicense: /own.xml\nAllow: /',
      '/all.xml': rsl(content('/', prohibits('all'))),
      '/own.xml': rsl(content('/', permits('all'))),
    },
    expected: 'ggg',
  },
  {
    name: 'a licence after the groups',
    by: `${RSL} 4.4.2`,
    files: {
      '/robots.txt': 'User-agent: otherbot\nDisallow: /\n\nLicense: /license.xml',
      '/license.xml': rsl(content('/', prohibits('ai-train'))),
    },
    expected: '--d',
  },
  {
    name: 'a licence in the header',
    by: `${RSL} 4.5`,
    headers: { link: '</license.xml>; rel="license"; type="application/rsl+xml"' },
    files: { '/license.xml': rsl(content('/', prohibits('ai-input'))) },
    expected: '-d-',
    because: 'header `link`',
  },
  {
    name: 'a licence link of the page',
    by: `${RSL} 4.6`,
    head: '<link rel="license" type="application/rsl+xml" href="license.xml">',
    files: { '/license.xml': rsl(content('/', prohibits('search'))) },
    expected: 'd--',
  },
  {
    name: 'a licence in the page',
    by: `${RSL} 4.6`,
    head: `<script type="application/rsl+xml">${rsl(content('', prohibits('ai-train')))}</script>`,
    expected: '--d',
    because: 'licence in the page',
  },
  {
    name: 'the page over the site',
    by: `${RSL} 3.1.1: the more specific`,
    head: `<script type="application/rsl+xml">${rsl(content('', permits('all')))}</script>`,
    headers: { link: '</license.xml>; rel=license; type=application/rsl+xml' },
    files: { '/license.xml': rsl(content('/', prohibits('all'))) },
    expected: 'ggg',
  },
  {
    name: 'a licence for some users',
    by: `${RSL} 3.4`,
    ...licensed(content('/', `${permits('all')}<permits type="user">non-commercial</permits>`)),
    expected: '---',
  },
  {
    name: 'a licence file that is missing',
    by: `${RSL} 4.4: nothing is stated`,
    files: { '/robots.txt': 'License: /license.xml' },
    expected: '---',
  },
  {
    name: 'entities that would grow',
    by: 'XML 1.0 section 4.4: not expanded',
    files: {
      '/robots.txt': 'License: /license.xml',
      '/license.xml': `<!DOCTYPE rsl [<!ENTITY a "ai-train">]>${rsl(content('/', prohibits('&a; ai-input')))}`,
    },
    expected: '-d-',
  },
  {
    name: 'a licence and a signal disagree',
    by: 'draft-ietf-aipref-vocab section 5.1',
    files: {
      '/robots.txt': 'License: /license.xml\nUser-agent: *\nContent-Signal: ai-train=no',
      '/license.xml': rsl(content('/', permits('all'))),
    },
    expected: 'ggd',
    because: 'Content-Signal',
  },
]
