const paragraph = (nth: number): string =>
  `<p>Ship ${nth * 7} of the harbour leaves in the morning, with ${nth + 3} crates of fruit for the islands in the west.</p>`
const paragraphs = (count: number, from = 0): string =>
  Array.from({ length: count }, (_, nth) => paragraph(from + nth)).join('\n')
const STYLE = 'body{background:#fff;color:#222;font:16px/1.5 sans-serif}h1{font-size:2em}'
const page = (title: string, css: string, body: string): string =>
  `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${title}</title><style>${STYLE}${css}</style></head><body><nav><a href="/">Home</a> <a href="/ships">Ships</a></nav>${body}</body></html>`

/** Pages by their types, with a place for an element. */
export const types: Readonly<Record<string, (html: string, css: string) => string>> = {
  article: (html, css) =>
    page(
      'Harbour',
      css,
      `<main><article><h1>The harbour</h1>${paragraphs(6)}${html}${paragraphs(4, 6)}</article></main>`,
    ),
  documentation: (html, css) =>
    page(
      'API',
      css,
      `<main><h1>API</h1><h2>Use</h2>${paragraphs(3)}<pre><code>open()</code></pre>${html}<h2>More</h2>${paragraphs(3, 4)}</main>`,
    ),
  product: (html, css) =>
    page(
      'Lamp',
      css,
      `<main><h1>Lamp</h1><img src="/lamp.jpg" alt="A lamp"><p>29.90 €</p><ul><li>Steel</li><li>Two metres of cable</li></ul>${html}${paragraphs(3)}</main>`,
    ),
  forum: (html, css) =>
    page(
      'Thread',
      css,
      `<main><h1>Which rope?</h1>${[1, 2, 3].map((nth) => `<div class="post"><b>user${nth}</b>${paragraphs(2, nth * 2)}${nth === 2 ? html : ''}</div>`).join('')}</main>`,
    ),
  short: (html, css) =>
    page(
      'Note',
      css,
      `<p>The pier is closed today because of the wind, and opens again on Monday at nine in the morning, when the tide is low.</p>${html}`,
    ),
  table: (html, css) =>
    page(
      'Times',
      css,
      `<main><h1>Times</h1>${paragraphs(2)}<table><tr><th>Ship</th><th>Time</th></tr><tr><td>Anna</td><td>9:00</td></tr><tr><td>Berta</td><td>10:00<div>${html}</div></td></tr></table>${paragraphs(2, 2)}</main>`,
    ),
  list: (html, css) =>
    page(
      'Results',
      css,
      `<main><h1>Results</h1><ul>${[1, 2, 3, 4, 5, 6].map((nth) => `<li><h3><a href="/r/${nth}">Ship ${nth}</a></h3>${paragraph(nth)}${nth === 4 ? html : ''}</li>`).join('')}</ul></main>`,
    ),
  recipe: (html, css) =>
    page(
      'Soup',
      css,
      `<main><h1>Fish soup</h1><h2>Ingredients</h2><ul><li>1 l of water</li><li>500 g of cod</li></ul><h2>Steps</h2><ol><li>Boil the water with salt.</li><li>Add the fish and wait for ten minutes.${html}</li></ol>${paragraphs(2)}</main>`,
    ),
  landing: (html, css) =>
    page(
      'Ferry',
      css,
      `<header><h1>Sail with us</h1></header><section><h2>Fast</h2>${paragraphs(2)}</section><section><h2>Safe</h2>${paragraphs(2, 2)}${html}</section><footer><p>© Harbour</p></footer>`,
    ),
  questions: (html, css) =>
    page(
      'Questions',
      css,
      `<main><h1>Questions</h1>${[1, 2, 3].map((nth) => `<details open><summary>When does ship ${nth} leave?</summary>${paragraph(nth)}${nth === 3 ? html : ''}</details>`).join('')}</main>`,
    ),
  reference: (html, css) =>
    page(
      'Harbour (town)',
      css,
      `<main id="content"><h1>Harbour</h1>${paragraphs(3)}<h2>History</h2>${html}${paragraphs(2, 3)}<h2>See also</h2><ul><li><a href="/pier">Pier</a></li></ul></main>`,
    ),
  old: (html, css) =>
    page(
      'Old',
      css,
      `<center><table width="100%"><tr><td><b>Menu</b></td><td>${paragraphs(4)}${html}${paragraphs(2, 4)}</td></tr></table></center>`,
    ),
}
