import { alone, each, FRAME, inOldSite, inSite, type MadePage } from './made-page.js'

const VIEWS = ['pier', 'lighthouse', 'fish-market', 'old-crane', 'dunes', 'ferry']

/** Pages of pictures without a sentence. */
export const pictures: readonly MadePage[] = [
  { name: 'one picture', html: alone('<img src="/i/map.png" width="1200" height="900">'), wanted: ['/i/map.png'] },
  {
    name: 'one picture on a site',
    html: inSite('<div class="poster"><img src="/i/map.png" alt="Map of the harbour"></div>', 'Map'),
    wanted: ['/i/map.png', 'Map of the harbour'],
    unwanted: FRAME,
  },
  {
    name: 'one picture on a site of `div` elements',
    html: inOldSite('<div class="poster"><img src="/i/map.png" alt=""></div>', 'Map'),
    wanted: ['/i/map.png'],
    unwanted: FRAME,
  },
  {
    name: 'a gallery of linked pictures',
    html: inSite(
      `<div class="gallery">${each(VIEWS, (view) => `<a href="/full/${view}.jpg"><img src="/thumb/${view}.jpg" alt=""></a>`)}</div>`,
    ),
    wanted: VIEWS.map((view) => `/thumb/${view}.jpg`),
    unwanted: FRAME,
  },
  {
    name: 'a gallery of pictures with captions',
    html: inOldSite(
      `<div class="grid">${each(VIEWS, (view) => `<figure><img src="/i/${view}.jpg"><figcaption>At the ${view}</figcaption></figure>`)}</div>`,
    ),
    wanted: VIEWS.flatMap((view) => [`/i/${view}.jpg`, `At the ${view}`]),
    unwanted: FRAME,
  },
  {
    name: 'pictures that load on scrolling',
    html: inSite(
      each(
        VIEWS,
        (view) => `<img class="lazy" src="data:image/gif;base64,R0lGODlhAQABAAAAACw=" data-src="/i/${view}.jpg">`,
      ),
    ),
    wanted: VIEWS.map((view) => `/i/${view}.jpg`),
    unwanted: FRAME,
  },
  {
    name: 'only the banner of a page that waits for its scripts',
    html: inSite('<picture><img src="/media/category-hero-banner.jpg" alt="Chairs"></picture><div id="app"></div>'),
    wanted: [],
    unwanted: ['/media/category-hero-banner.jpg'],
  },
  {
    name: 'a comic between links to other pages',
    html: inOldSite(
      `<h1>Two gulls</h1><div class="comic-nav"><a href="/c/41">‹ Previous</a> <a href="/c/43">Next ›</a></div>
      <div id="comic"><img src="/c/42.png" alt="Two gulls share a fish"></div>`,
      'Two gulls',
    ),
    wanted: ['/c/42.png'],
    unwanted: FRAME,
  },
]

/** Pages of a player. */
export const players: readonly MadePage[] = [
  {
    name: 'a video of another site',
    html: inSite(
      '<div class="embed"><iframe src="https://www.youtube.com/embed/aB3dE5fG7hI" title="The bridge opens" allowfullscreen></iframe></div>',
    ),
    wanted: ['youtube.com'],
    unwanted: FRAME,
  },
  {
    name: 'a video with its sources',
    html: inOldSite(
      '<h1>The bridge opens</h1><video controls poster="/i/bridge.jpg"><source src="/v/bridge.webm"><source src="/v/bridge.mp4"></video>',
    ),
    wanted: ['/v/bridge.webm'],
    unwanted: FRAME,
  },
  {
    name: 'a recording',
    html: inSite('<h1>Episode 12: Fog</h1><audio controls src="/a/12.mp3"></audio>'),
    wanted: ['Episode 12: Fog', '/a/12.mp3'],
    unwanted: FRAME,
  },
  {
    name: 'a list of recordings',
    html: inOldSite(
      `<ul class="episodes">${each(['Fog', 'Ice', 'Salt', 'Tar'], (name, at) => `<li><h3>${name}</h3><audio controls src="/a/${at}.mp3"></audio></li>`)}</ul>`,
    ),
    wanted: ['Fog', 'Ice', 'Salt', 'Tar', '/a/0.mp3', '/a/3.mp3'],
    unwanted: FRAME,
  },
  {
    name: 'a map of another site',
    html: inOldSite('<h1>Route</h1><iframe src="https://maps.example/embed?route=7" title="Route of bus 7"></iframe>'),
    wanted: ['maps.example/embed?route=7'],
    unwanted: FRAME,
  },
]
