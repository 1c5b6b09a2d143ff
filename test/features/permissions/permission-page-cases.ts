import type { PermissionCase } from './permission-cases.js'

const GOOGLE = 'Google, robots meta tag and X-Robots-Tag'
const BING = 'Bing, options for webmasters, September 2023'
const TDM = 'TDMRep section'

const tdmrep = (rules: unknown) => ({ files: { '/.well-known/tdmrep.json': JSON.stringify(rules) } })

export const pageCases: readonly PermissionCase[] = [
  {
    name: 'a usage header',
    by: 'draft-ietf-aipref-attach section 2',
    headers: { 'content-usage': 'train-ai=n' },
    expected: '--d',
    because: 'header `content-usage`: train-ai=n',
  },
  {
    name: 'a usage header and robots.txt',
    by: 'draft-ietf-aipref-vocab section 5.1',
    headers: { 'content-usage': 'train-ai=y' },
    files: { '/robots.txt': 'User-agent: *\nContent-Usage: / train-ai=n' },
    expected: '--d',
  },
  {
    name: 'a signal header',
    by: 'Content Signals Policy, (a) to (c)',
    headers: { 'content-signal': 'ai-train=yes, search=yes, ai-input=no' },
    expected: 'gdg',
  },
  { name: 'noindex in the header', by: `${GOOGLE}: noindex`, headers: { 'x-robots-tag': 'noindex' }, expected: 'd--' },
  {
    name: 'none in a meta tag',
    by: `${GOOGLE}: none`,
    head: '<meta name="robots" content="none">',
    expected: 'd--',
    because: 'meta `robots`: none',
  },
  {
    name: 'nosnippet',
    by: `${GOOGLE}: nosnippet, "direct input for AI Overviews"`,
    head: '<meta name="robots" content="index, nosnippet">',
    expected: '-d-',
  },
  {
    name: 'a snippet of no characters',
    by: `${GOOGLE}: max-snippet`,
    headers: { 'x-robots-tag': 'max-snippet: 0' },
    expected: '-d-',
  },
  {
    name: 'a snippet of some characters',
    by: `${GOOGLE}: max-snippet`,
    headers: { 'x-robots-tag': 'max-snippet: 50' },
    expected: '---',
  },
  {
    name: 'all grants nothing',
    by: `${GOOGLE}: all is the default`,
    head: '<meta name="robots" content="all">',
    expected: '---',
  },
  {
    name: 'a header for another crawler',
    by: `${GOOGLE}: user agent in the header`,
    headers: { 'x-robots-tag': 'otherbot: noindex, nosnippet' },
    expected: '---',
  },
  {
    name: 'a header for this crawler',
    by: `${GOOGLE}: user agent in the header`,
    headers: { 'x-robots-tag': 'otherbot: noindex, trawl: nosnippet' },
    expected: '-d-',
  },
  {
    name: 'a meta tag of this crawler',
    by: `${GOOGLE}: meta name`,
    head: '<META NAME="Trawl" CONTENT="NOINDEX">',
    expected: 'd--',
  },
  {
    name: 'a meta tag of another crawler',
    by: `${GOOGLE}: meta name`,
    head: '<meta name="googlebot" content="noindex">',
    expected: '---',
  },
  { name: 'noarchive', by: BING, head: '<meta name="robots" content="noarchive">', expected: '-dd' },
  { name: 'nocache', by: BING, head: '<meta name="robots" content="nocache">', expected: '--d' },
  {
    name: 'noarchive with nocache',
    by: `${BING}: treated as nocache`,
    head: '<meta name="robots" content="noarchive, nocache">',
    expected: '--d',
  },
  { name: 'noai', by: 'DeviantArt, noai and noimageai', headers: { 'x-robots-tag': 'noai' }, expected: '--d' },
  {
    name: 'noimageai',
    by: 'DeviantArt, noai and noimageai',
    head: '<meta name="robots" content="noimageai">',
    expected: '--d',
  },
  {
    name: 'a reservation in the header',
    by: `${TDM} "TDM Header Field"`,
    headers: { 'tdm-reservation': '1', 'tdm-policy': 'https://example.com/p.json' },
    expected: '-dd',
    because: 'tdm-reservation: 1; tdm-policy: https://example.com/p.json',
  },
  {
    name: 'no reservation in the header',
    by: `${TDM} "tdm-reservation"`,
    headers: { 'tdm-reservation': '0' },
    expected: '-gg',
  },
  {
    name: 'a value that is no reservation',
    by: `${TDM} "tdm-reservation": unset`,
    headers: { 'tdm-reservation': 'yes' },
    expected: '---',
  },
  {
    name: 'a reservation in a meta tag',
    by: `${TDM} "TDM Metadata in HTML Content"`,
    head: '<meta name="tdm-reservation" content="1">',
    expected: '-dd',
  },
  {
    name: 'a reservation of the whole site',
    by: `${TDM} "TDM File", example 1`,
    ...tdmrep([{ location: '/', 'tdm-reservation': 1 }]),
    expected: '-dd',
    because: 'tdmrep.json rule 1 (location /)',
  },
  {
    name: 'a rule of another folder',
    by: `${TDM} "TDM File": no match is unset`,
    ...tdmrep([{ location: '/directory-a/', 'tdm-reservation': 1 }]),
    expected: '---',
  },
  {
    name: 'the example with images',
    by: `${TDM} "TDM File", example 2`,
    path: '/directory-b/images/a.jpg.html',
    ...tdmrep([
      { location: '/directory-a/', 'tdm-reservation': 1 },
      { location: '/directory-b/images/*.jpg', 'tdm-reservation': 0 },
    ]),
    expected: '-gg',
  },
  {
    name: 'the first rule that matches',
    by: `${TDM} "TDM File": first in sequence`,
    path: '/free/a',
    ...tdmrep([
      { location: '/free/', 'tdm-reservation': 0 },
      { location: '/', 'tdm-reservation': 1 },
    ]),
    expected: '-gg',
  },
  {
    name: 'the end of a path',
    by: `${TDM} "Use of regular expressions"`,
    ...tdmrep([
      { location: '/pag$', 'tdm-reservation': 1 },
      { location: '/page$', 'tdm-reservation': 0 },
    ]),
    expected: '-gg',
  },
  {
    name: 'a file that is no array',
    by: `${TDM} "TDM File": brackets are mandatory`,
    ...tdmrep({ location: '/', 'tdm-reservation': 1 }),
    expected: '---',
  },
  {
    name: 'a header cannot lift a denial of the file, which is read before the page',
    by: `${TDM} "Processing priority"`,
    ...tdmrep([{ location: '/', 'tdm-reservation': 1 }]),
    headers: { 'tdm-reservation': '0' },
    expected: '-dd',
  },
  {
    name: 'a meta tag over the header',
    by: `${TDM} "Processing priority"`,
    headers: { 'tdm-reservation': '0' },
    head: '<meta name="tdm-reservation" content="1">',
    expected: '-dd',
    because: 'meta `tdm-reservation`',
  },
  {
    name: 'TDMRep and a signal disagree',
    by: 'draft-ietf-aipref-vocab section 5.1',
    files: {
      '/.well-known/tdmrep.json': '[{"location":"/","tdm-reservation":0}]',
      '/robots.txt': 'User-agent: *\nContent-Signal: ai-train=no',
    },
    expected: '-gd',
  },
  {
    name: 'a licence for people',
    by: 'HTML, link type license',
    head: '<link rel="license" href="https://creativecommons.org/licenses/by/4.0/">',
    expected: '---',
  },
]
