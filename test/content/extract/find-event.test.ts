import { describe, expect, it } from 'vitest'
import { readBlocks } from '../../../src/content/extract/blocks/read-blocks.js'
import { findEvent } from '../../../src/content/extract/selection/find-event.js'
import { findNeverShown } from '../../../src/content/extract/visibility/visibility.js'
import { parseHtml } from '../parse/pages.js'

const URL_OF_EVENT = 'https://a.test/events/board-meeting-12'

function find(html: string, url = URL_OF_EVENT, title?: string): string[] {
  const [body] = parseHtml(html).tree.$('body')
  if (body === undefined) throw new Error('the page has no body')
  return findEvent(readBlocks(body, findNeverShown(body)), url, title).map(({ text }) => text)
}

const title = '<h1>Meeting of the board</h1>'
const text = '<p>The board speaks about the harbour, and everybody may come and listen to what is said.</p>'

describe('when and where the event of a page is', () => {
  it.each([
    ['a date with a time', '<p>November 15, 2017 1:00pm to 3:00pm</p>', ['November 15, 2017 1:00pm to 3:00pm']],
    ['a date in a named element', '<div class="event-date"><b>15. März 2017</b></div>', ['15. März 2017']],
    ['a time in a named element', '<div class="time"><span>19:30</span></div>', ['19:30']],
    ['an address', '<address>2925 Euclid Ave</address>', ['2925 Euclid Ave']],
    ['a place in a named element', '<div class="venue"><p>Town hall</p></div>', ['Town hall']],
    ['a label and its value', '<div>Location:</div><div>Room 3</div>', ['Location:', 'Room 3']],
    ['a label in another language', '<dl><dt>Wann</dt><dd>am Abend</dd></dl>', ['Wann', 'am Abend']],
    ['the papers', '<ul><li><a href="/f/agenda.pdf">Agenda</a></li></ul>', ['Agenda']],
  ])('is %s', (_, html, found) => {
    expect(find(`${title}${text}${html}`)).toEqual(found)
  })

  it.each([
    ['by its address', `${title}${text}<address>Town hall</address>`, 'https://a.test/meeting/4908'],
    [
      'by the names of elements',
      `<div class="tribe-events">${title}</div>${text}<address>Town hall</address>`,
      'https://a.test/4',
    ],
  ])('is looked for on a page about an event, which is told %s', (_, html, url) => {
    expect(find(html, url)).toEqual(['Town hall'])
  })

  it('is looked for near the heading that the title of the page says', () => {
    const html = `<h1>Skip to the content</h1>${'<p>Menu</p>'.repeat(60)}${title}${text}<address>Town hall</address>`
    expect(find(html, URL_OF_EVENT, 'Meeting of the board - Harbour')).toEqual(['Town hall'])
  })

  it('is looked for on a page that says both below labels, and stands beside the text of its main part', () => {
    const beside = (main: string): string =>
      `<main>${title}${text}<aside><h4>Date</h4><p>March 3, 2026</p><h4>Venue</h4><p>Town hall</p><h4>Cost</h4><p>Free</p><h4>Share</h4><p>Post</p></aside></main>${main}`
    expect(find(beside(''), 'https://a.test/2026/spring')).toEqual([
      'Date',
      'March 3, 2026',
      'Venue',
      'Town hall',
      'Cost',
      'Free',
    ])
    expect(find(beside('').replace('Venue', 'Author'), 'https://a.test/2026/spring')).toEqual([])
  })

  const listed = ['1', '2', '3', '4'].map((day) => `<li><h3>A walk</h3><p>May ${day}, 2024 10:00</p></li>`).join('')
  it.each([
    ['of a list of events', `${title}${text}<ul>${listed}</ul>`, URL_OF_EVENT],
    ['in the footer', `${title}${text}<footer><address>Town hall</address></footer>`, URL_OF_EVENT],
    ['beside the text', `${title}${text}<aside><address>Town hall</address></aside>`, URL_OF_EVENT],
    ['in a sidebar', `${title}${text}<div class="sidebar"><address>Town hall</address></div>`, URL_OF_EVENT],
    ['of another page', `${title}${text}<address>Town hall</address>`, 'https://a.test/about'],
    ['without a heading', `${text}<address>Town hall</address>`, URL_OF_EVENT],
  ])('is none %s', (_, html, url) => {
    expect(find(html, url)).toEqual([])
  })
})
