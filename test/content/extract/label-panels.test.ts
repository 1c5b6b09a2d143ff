import { describe, expect, it } from 'vitest'
import { extractHtml } from './contents.js'

const htmlOf = (html: string, onlyMainContent = false): string => {
  const { tree } = extractHtml(html, { onlyMainContent })
  return tree.$('body').length > 0 ? (tree.$('body').html() ?? '') : (tree.$.root().html() ?? '')
}

/** Returns the texts of the content's blocks, in order. */
const linesOf = (html: string): string[] =>
  htmlOf(html)
    .split(/<\/?(?:p|div|ul|ol|li|h\d|pre|section)\b[^>]*>/)
    .map((line) => line.replace(/<[^>]*>/g, '').trim())
    .filter((line) => line !== '')

const LINUX = '<pre>apt install trawl</pre>'
const MAC = '<pre>brew install trawl</pre>'
const LABELLED = ['Linux', 'apt install trawl', 'macOS', 'brew install trawl']

describe('the panels of tabs', () => {
  it.each([
    [
      'Bootstrap',
      `<ul class="nav nav-tabs" role="tablist"><li role="presentation"><a role="tab" href="#l">Linux</a></li><li role="presentation"><a role="tab" href="#m">macOS</a></li></ul>
       <div class="tab-content"><div class="tab-pane active" id="l">${LINUX}</div><div class="tab-pane" id="m">${MAC}</div></div>`,
    ],
    [
      'Bootstrap 2, without roles',
      `<ul class="nav nav-tabs"><li><a href="#l">Linux</a></li><li><a href="#m">macOS</a></li></ul>
       <div class="tab-content"><div class="tab-pane active" id="l">${LINUX}</div><div class="tab-pane" id="m">${MAC}</div></div>`,
    ],
    [
      'jQuery UI',
      `<div class="ui-tabs"><ul class="ui-tabs-nav" role="tablist"><li role="tab"><a href="#l">Linux</a></li><li role="tab"><a href="#m">macOS</a></li></ul>
       <div id="l" class="ui-tabs-panel" role="tabpanel">${LINUX}</div><div id="m" class="ui-tabs-panel" role="tabpanel">${MAC}</div></div>`,
    ],
    [
      'Docusaurus',
      `<div class="tabs-container"><ul role="tablist" class="tabs"><li role="tab">Linux</li><li role="tab">macOS</li></ul>
       <div class="margin-top--md"><div role="tabpanel">${LINUX}</div><div role="tabpanel" hidden>${MAC}</div></div></div>`,
    ],
    [
      'Starlight, whose list is in an element of its own',
      `<starlight-tabs><div class="tablist-wrapper"><ul role="tablist"><li role="presentation"><a role="tab" href="#l">Linux</a></li><li role="presentation"><a role="tab" href="#m">macOS</a></li></ul></div>
       <div id="l" role="tabpanel">${LINUX}</div><div id="m" role="tabpanel" hidden>${MAC}</div><script>1</script></starlight-tabs>`,
    ],
    [
      'Material for MkDocs',
      `<div class="tabbed-set tabbed-alternate"><input type="radio"><input type="radio"><div class="tabbed-labels"><label>Linux</label><label>macOS</label></div>
       <div class="tabbed-content"><div class="tabbed-block">${LINUX}</div><div class="tabbed-block">${MAC}</div></div></div>`,
    ],
    [
      'VitePress',
      `<div class="vp-code-group"><div class="tabs"><input type="radio"><label>Linux</label><input type="radio"><label>macOS</label></div><div class="blocks"><div>${LINUX}</div><div>${MAC}</div></div></div>`,
    ],
    [
      'Rspress',
      `<div class="rp-tabs"><div class="rp-tabs__label"><div>Linux</div><div>macOS</div></div><div class="rp-tabs__content"><div>${LINUX}</div><div>${MAC}</div></div></div>`,
    ],
    [
      'Paste, which writes styles between them',
      `<div role="tablist"><style>.a{color:red}</style><div class="a"><style>.b{top:0}</style><span role="tab">Linux</span><span role="tab">macOS</span></div></div>
       <div class="c"><style>.d{top:0}</style><div role="tabpanel">${LINUX}</div><style>.e{top:0}</style><div role="tabpanel">${MAC}</div></div>`,
    ],
  ])('have their labels above them: %s', (_, html) => {
    expect(linesOf(`<p>Install it:</p>${html}`)).toEqual(['Install it:', ...LABELLED])
  })

  it('get no label that a heading of theirs repeats', () => {
    const tabs = `<ul class="wc-tabs" role="tablist"><li role="tab">Description</li><li role="tab">Reviews (3)</li></ul>
      <div role="tabpanel"><h2>Description</h2><p>A coat.</p></div><div role="tabpanel"><h2>Reviews</h2><p>Warm.</p></div>`
    expect(linesOf(tabs)).toEqual(['Description', 'A coat.', 'Reviews', 'Warm.'])
  })

  it('get no label if they are empty', () => {
    const tabs = `<div role="tablist"><button role="tab">Linux</button><button role="tab">macOS</button></div>
      <div role="tabpanel">${LINUX}</div><div role="tabpanel"></div>`
    expect(linesOf(tabs)).toEqual(['Linux', 'apt install trawl'])
  })
})

describe('a list of tabs', () => {
  it.each([
    [
      'if there are not as many panels',
      '<div role="tablist"><button role="tab">a</button><button role="tab">b</button></div><div role="tabpanel">c</div>',
      'abc',
    ],
    [
      'if another list follows it',
      '<ul class="nav-tabs"><li>a</li><li>b</li></ul><ul><li>c</li><li>d</li></ul>',
      'abcd',
    ],
    [
      'if it is an accordion, which has the panels inside',
      '<div role="tablist"><div><a role="tab">a</a><div role="tabpanel">b</div></div><div><a role="tab">c</a><div role="tabpanel">d</div></div></div>',
      'abcd',
    ],
  ])('stays as it is %s', (_, html, expected) => {
    const text = htmlOf(html).replace(/<[^>]*>|\s/g, '')
    expect(text).toBe(expected)
  })

  it('costs time in proportion to the page, however the lists are nested', () => {
    const depth = 100
    const open =
      '<div role="tablist"><i role="tab">a</i><i role="tab">b</i></div><div role="tabpanel">x</div><div role="tabpanel">'
    const nested = htmlOf(open.repeat(depth) + 'y' + '</div>'.repeat(depth))
    expect(nested.match(/<strong>/g)).toHaveLength(2 * depth)
  })

  it('leave the links beside their tabs where they are', () => {
    const tab = (name: string): string => `<li><button role="tab" aria-controls="${name}">${name}</button></li>`
    const html = `<ul class="nav nav-tabs" role="tablist">${tab('Linux')}<li><a href="/bsd">Other systems</a></li>${tab('macOS')}</ul>
      <div class="tab-content"><div class="tab-pane" id="Linux">${LINUX}</div><div class="tab-pane" id="macOS">${MAC}</div></div>`
    expect(linesOf(html)).toEqual(['Other systems', ...LABELLED])
  })
})
