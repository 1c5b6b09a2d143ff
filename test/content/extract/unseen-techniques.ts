/** A way to place a sentence on a page where no reader sees it: the sentence in its element, and the style sheet that it needs. */
export interface Technique {
  readonly name: string
  /** Writes the element. */
  readonly place: (sentence: string) => string
  readonly css?: string
}

const styled =
  (style: string, tag = 'p') =>
  (sentence: string): string =>
    `<${tag} style="${style}">${sentence}</${tag}>`

const named =
  (name: string) =>
  (sentence: string): string =>
    `<p class="${name}">${sentence}</p>`

const toTags = (text: string): string =>
  Array.from(text, (sign) => String.fromCodePoint(0xe0000 + (sign.codePointAt(0) ?? 0))).join('')

const toZeroWidth = (text: string): string =>
  Array.from(text, (sign) =>
    (sign.codePointAt(0) ?? 0).toString(2).replaceAll('1', '\u200b').replaceAll('0', '\u200c'),
  ).join('')

const toSelectors = (text: string): string =>
  Array.from(text, (sign) => sign.codePointAt(0) ?? 0)
    .map((byte) => String.fromCodePoint(byte < 16 ? 0xfe00 + byte : 0xe0100 + byte - 16))
    .join('')

/** Ways to hide a sentence, each by an attribute and by a style sheet where it can be both. */
export const techniques: readonly Technique[] = [
  { name: 'display: none by class', place: named('q1'), css: '.q1 { display: none }' },
  { name: 'display: none by a nested rule', place: named('q1'), css: 'main, body { .q1 { display: none; } }' },
  { name: 'visibility: hidden by class', place: named('q2'), css: '@media screen { .q2 { visibility: hidden } }' },
  { name: 'opacity 0, inline', place: styled('opacity:0') },
  { name: 'opacity 0 by class', place: named('q3'), css: '.q3{color:red;opacity:0.0!important}' },
  { name: 'filter: opacity(0)', place: styled('filter: opacity(0%)', 'span') },
  { name: 'font-size 0, inline', place: styled('font-size:0', 'span') },
  { name: 'font-size 1px by class', place: named('q4'), css: 'p.q4 { font-size: 1px }' },
  { name: 'font-size 0 by the font property', place: styled('font: 0/0 a') },
  { name: 'font-size .01em around an element', place: (one) => `<div style="font-size:.01em"><p>${one}</p></div>` },
  { name: 'text-indent, inline', place: styled('text-indent:-9999px') },
  {
    name: 'text-indent by class',
    place: named('q5'),
    css: '.q5{text-indent:-200em;white-space:nowrap;overflow:hidden}',
  },
  { name: 'off the page to the left, inline', place: styled('position:absolute;left:-9999px') },
  { name: 'off the page to the top by class', place: named('q6'), css: '.q6{position:fixed;top:-5000px}' },
  { name: 'off the page by inset', place: styled('position:absolute; inset: -10000px auto auto -10000px', 'div') },
  { name: 'off the page by margin', place: styled('margin-left:-9999px') },
  { name: 'off the page by transform', place: styled('transform:translateX(-9999px)') },
  { name: 'scaled to nothing', place: styled('transform:scale(0)') },
  { name: 'scaled to nothing by class', place: named('q7'), css: '.q7{scale:0}' },
  { name: 'turned on its edge', place: styled('transform:rotateY(90deg)') },
  { name: 'clip: rect(0,0,0,0)', place: styled('position:absolute;clip:rect(0,0,0,0)') },
  { name: 'clip-path: inset(100%)', place: named('q8'), css: '.q8{clip-path:inset(100%)}' },
  { name: 'clip-path: polygon', place: styled('clip-path: polygon(0 0, 0 0, 0 0)') },
  { name: 'clip-path: circle', place: styled('clip-path: circle(0px at 50% 50%)') },
  { name: 'height 0', place: styled('height:0;overflow:hidden', 'div') },
  { name: 'max-height 0 by class', place: named('q9'), css: '.q9{max-height:0;overflow:hidden}' },
  { name: 'one pixel', place: styled('width:1px;height:1px;overflow:hidden;position:absolute', 'div') },
  { name: 'white on white, inline', place: styled('color:#fff;background:#ffffff', 'span') },
  { name: 'white on the page', place: styled('color:white', 'span') },
  { name: 'white by class on the page', place: named('q10'), css: '.q10{color:rgb(255,255,255)}' },
  { name: 'nearly white', place: styled('color:#fefefe', 'span') },
  { name: 'black on black by class', place: named('q11'), css: '.q11{color:#111;background-color:#111}' },
  { name: 'by a custom property', place: named('q12'), css: ':root{--paper:#fff} .q12{color:var(--paper)}' },
  { name: 'transparent', place: styled('color:transparent') },
  { name: 'transparent by rgba', place: named('q13'), css: '.q13{color:rgba(0,0,0,0)}' },
  { name: 'the font element', place: (one) => `<font color="#FFFFFF">${one}</font>` },
  { name: 'an attribute selector', place: (one) => `<p data-n="7">${one}</p>`, css: '[data-n="7"]{opacity:0}' },
  {
    name: 'a selector by place',
    place: (one) => `<div class="z"><p></p><p>${one}</p></div>`,
    css: '.z > p:nth-child(2){font-size:0}',
  },
  {
    name: 'white letters in a page whose background is cut out to letters',
    place: named('q14'),
    css: 'body{-webkit-background-clip:text}.q14{color:#fff}',
  },
  {
    name: 'letters filled with a background in the colour of the page',
    place: styled('background:#fff;background-clip:text;color:transparent'),
  },
  {
    name: 'letters to be filled with a background that there is not',
    place: (one) => `<div style="background-clip:text"><p style="color:transparent">${one}</p></div>`,
  },
  { name: 'a line around letters without a unit', place: styled('color:#fff;-webkit-text-stroke:1 #000') },
  {
    name: 'far down in a box that cuts it off',
    place: (one) =>
      `<div style="position:relative;overflow:hidden;height:90px"><p style="position:absolute;top:9999px">${one}</p></div>`,
  },
  { name: 'Unicode tags', place: (one) => `<p>The pier is open.${toTags(one)}</p>` },
  {
    name: 'Unicode tags as entities',
    place: (one) =>
      `<p>The pier is open.${Array.from(toTags(one), (sign) => `&#x${sign.codePointAt(0)?.toString(16)};`).join('')}</p>`,
  },
  { name: 'zero-width characters', place: (one) => `<p>The pier is open.${toZeroWidth(one)}</p>` },
  { name: 'variation selectors', place: (one) => `<p>The pier is open 🙂${toSelectors(one)}</p>` },
]

export { toTags }
