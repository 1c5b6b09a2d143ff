import type { DroppedBlock } from '../../content/extract/fidelity/dropped-block.js'
import type { PageStory } from '../report/report-data.js'
import { html } from './dom.js'
import { printCount, printItems } from './format.js'
import { renderMarkdown } from './markdown.js'
import { isQuickToRender } from './quick-markdown.js'
import { copyOriginal, type Original } from './original.js'
import { note, section } from './parts.js'

/** Shows the Markdown of a page beside the page itself, and what was left out. */
export function drawContent({ markdown, html: source, isWhole, picture, trace, boilerplate }: PageStory): HTMLElement {
  const original = source === undefined ? undefined : copyOriginal(source, isWhole === true ? trace : undefined)
  const panes = html('div', { class: 'panes' })
  if (original) panes.append(drawOriginal(original, isWhole === true, trace !== undefined))
  else if (picture !== undefined) panes.append(drawPicture(picture))
  panes.append(drawMarkdown(markdown))
  if (!original && picture === undefined) {
    panes.classList.add('single')
    panes.prepend(note('With format rawHtml or html, the original stands beside the Markdown.'))
  }
  const whole = html('div', {}, panes)
  if (trace && trace.length > 0) whole.append(drawDropped(trace, original))
  if (boilerplate && boilerplate.length > 0) whole.append(drawBoilerplate(boilerplate))
  return whole
}

function drawMarkdown(markdown: string | undefined): HTMLElement {
  const pane = html('section', { class: 'pane text' })
  if (markdown === undefined) {
    pane.append(html('h3', {}, 'Markdown'), note('The job has no Markdown.'))
    return pane
  }
  const body = html('div', { class: 'pane-body', tabindex: 0, role: 'group', 'aria-label': 'Markdown' })
  const isQuick = isQuickToRender(markdown)
  let isSource = !isQuick
  const button = html('button', { type: 'button', class: 'quiet-button', click: () => toggle() }, 'Show source')
  const draw = (): void => {
    body.replaceChildren(isSource ? html('pre', { class: 'source' }, markdown) : renderMarkdown(markdown))
    button.textContent = isSource ? 'Show rendered' : 'Show source'
  }
  const toggle = (): void => {
    isSource = !isSource
    draw()
  }
  draw()
  pane.append(html('div', { class: 'pane-head' }, html('h3', {}, 'Markdown'), button))
  if (!isQuick) pane.append(note('Shown as source, because rendering it would take long.'))
  pane.append(body)
  return pane
}

function drawOriginal({ element }: Original, isWhole: boolean, isTraced: boolean): HTMLElement {
  const key =
    isWhole && isTraced
      ? html(
          'p',
          { class: 'key' },
          html('span', { class: 'key-kept' }, 'kept'),
          ' ',
          html('span', { class: 'key-dropped' }, 'left out'),
        )
      : ''
  const head = html('div', { class: 'pane-head' }, html('h3', {}, isWhole ? 'Page' : 'Content as HTML'), key)
  const body = html('div', { class: 'pane-body', tabindex: 0, role: 'group', 'aria-label': 'Original page' }, element)
  // What is kept stands at the top, beside the Markdown, and not the menus before it. Not before the pane is in the page.
  requestAnimationFrame(() => scrollToKept(body, element))
  return html('section', { class: 'pane' }, head, body)
}

/** Scrolls a pane to the first text of the page that is in the Markdown. */
function scrollToKept(pane: HTMLElement, original: HTMLElement): void {
  const walker = document.createTreeWalker(original, NodeFilter.SHOW_TEXT)
  for (let text = walker.nextNode(); text; text = walker.nextNode()) {
    const element = text.parentElement
    if (!element || text.textContent?.trim() === '' || element.closest('.dropped')) continue
    pane.scrollTop += element.getBoundingClientRect().top - pane.getBoundingClientRect().top - KEPT_MARGIN
    return
  }
}

/** Space above the first text that is kept, which shows that there is more. CSS pixels. */
const KEPT_MARGIN = 24

function drawPicture(picture: string): HTMLElement {
  const image = html('img', { src: picture, alt: 'Screenshot of the page' })
  return html('section', { class: 'pane' }, html('div', { class: 'pane-head' }, html('h3', {}, 'Screenshot')), image)
}

/** Lists what was left out, with the reasons. A row leads to its block in the page. */
function drawDropped(trace: readonly DroppedBlock[], original: Original | undefined): HTMLElement {
  const body = html('tbody')
  const heads = ['Reason', 'Text', 'Element', 'Characters'].map((title, at) =>
    html('th', { scope: 'col', class: at === 3 ? 'number' : at === 1 ? 'wide' : undefined }, title),
  )
  for (const [at, { reason, text, selector, characters }] of trace.entries()) {
    const target = original?.marked[at]
    const show = target && html('button', { type: 'button', class: 'show', click: () => reveal(target) }, reason)
    body.append(
      html(
        'tr',
        {},
        html('td', {}, show ?? reason),
        html('td', { class: 'wide' }, text),
        html('td', {}, html('code', {}, selector)),
        html('td', { class: 'number' }, printCount(characters)),
      ),
    )
  }
  const list = html('table', {}, html('thead', {}, html('tr', {}, ...heads)), body)
  const frame = html('div', { class: 'table', tabindex: 0, role: 'group', 'aria-label': 'Table' }, list)
  return section(`Left out: ${printItems(trace.length, 'block')}`, frame)
}

/** Scrolls to a block of the page, and marks it for a moment. */
function reveal(block: HTMLElement): void {
  block.scrollIntoView({ block: 'center' })
  block.classList.add('revealed')
  setTimeout(() => block.classList.remove('revealed'), 1600)
}

const drawBoilerplate = (texts: readonly string[]): HTMLElement =>
  section('Left out as learnt boilerplate', html('ul', {}, ...texts.map((text) => html('li', {}, text))))
