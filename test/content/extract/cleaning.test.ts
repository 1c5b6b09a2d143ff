import { describe, expect, it } from 'vitest'
import { markdownOf } from '../convert/markdown-of.js'
import { extractHtml, textIn } from './contents.js'

const htmlOf = (html: string): string => extractHtml(html).tree.$.html()
const sourceOf = (image: string): string | undefined => extractHtml(image).tree.$('img').attr('src')

describe('cleaning of invisible elements', () => {
  it.each([
    '<script>no</script>',
    '<style>no{}</style>',
    '<template><p>no</p></template>',
    '<p hidden>no</p>',
    '<p style="color:red; DISPLAY : none">no</p>',
    '<p style="visibility:hidden">no</p>',
    '<dialog>no</dialog>',
    '<noscript>no, switch scripts on</noscript>',
  ])('is left out: %s', (html) => {
    expect(textIn(extractHtml(`<p>a</p>${html}<p>b</p>`))).toBe('a b')
  })

  it.each([
    '<p hidden="until-found">yes</p>',
    '<dialog open>yes</dialog>',
    '<div role="tabpanel" hidden>yes</div>',
    '<div class="accordion-body" style="display:none">yes</div>',
    '<div aria-hidden="true">yes</div>',
    '<x-a><template shadowrootmode="open">yes</template></x-a>',
  ])('does not include what a reader can come to see: %s', (html) => {
    expect(textIn(extractHtml(html))).toBe('yes')
  })

  it('keeps a hidden element with most of the page’s text, because a script shows it', () => {
    const much = 'words of the page '.repeat(50)
    expect(textIn(extractHtml(`<p>few</p><div style="visibility:hidden">${much}<p hidden>no</p></div>`))).toBe(
      `few ${much}`.trim(),
    )
  })

  it('keeps a noscript that contains the page for readers without scripts', () => {
    const much = 'words of the page '.repeat(50)
    const {
      tree: { $ },
    } = extractHtml(`<div>Loading</div><noscript><h1>T</h1><p>${much}</p></noscript>`)
    expect($('h1').text()).toBe('T')
    expect($('noscript').length).toBe(0)
  })
})

describe('URLs in the content', () => {
  it('makes relative URLs absolute', () => {
    const {
      tree: { $ },
    } = extractHtml(
      '<base href="/b/"><a href="x">a</a><a href="#f">f</a><a href="mailto:a@b.c">m</a><img src="i.png"><video src=v.mp4 poster=p.png></video><iframe src="//other.test/f"></iframe>',
    )
    expect(
      $('a')
        .get()
        .map((link) => $(link).attr('href')),
    ).toEqual(['https://site.test/b/x', 'https://site.test/b/#f', 'mailto:a@b.c'])
    expect($('img').attr('src')).toBe('https://site.test/b/i.png')
    expect($('video').attr('poster')).toBe('https://site.test/b/p.png')
    expect($('iframe').attr('src')).toBe('https://other.test/f')
  })

  it('makes the URLs of image sets absolute', () => {
    const html = htmlOf(
      '<picture><source srcset="a.webp, /b.webp 2x"><img src=c.png srcset="c.png 320w,d_1,2.png 640w,data:image/png;base64,AA= 1.5x"></picture>',
    )
    expect(html).toContain('srcset="https://site.test/dir/a.webp, https://site.test/b.webp 2x"')
    expect(html).toContain(
      'srcset="https://site.test/dir/c.png 320w, https://site.test/dir/d_1,2.png 640w, data:image/png;base64,AA= 1.5x"',
    )
  })

  it('keeps invalid URLs unchanged', () => {
    expect(htmlOf('<a href="http://[">x</a>')).toContain('http://[')
  })
})

describe('the URL of an image', () => {
  it.each([
    ['the largest by width', '<img src=s.jpg srcset="a.jpg 320w, b.jpg 1024w, c.jpg 640w">', 'b.jpg'],
    ['the largest by density', '<img src=s.jpg srcset="a.jpg 1x, b.jpg 2x">', 'b.jpg'],
    ['the plain one where all are 1x', '<img src=s.jpg srcset="a.jpg">', 's.jpg'],
    ['one with commas in it', '<img srcset="/w_1,h_2/a.jpg 1x, /w_2,h_4/a.jpg 2x">', '/w_2,h_4/a.jpg'],
    ['the first of a list without sizes', '<img srcset="a.jpg, b.jpg">', 'a.jpg'],
    ['one without a space after the comma', '<img srcset="a.jpg 1x,b.jpg 2x">', 'b.jpg'],
    ['a lazy set', '<img class=lazy data-srcset="a.jpg 400w, b.jpg 1200w">', 'b.jpg'],
    ['a lazy source', '<img src="data:image/gif;base64,R0" data-src="a.jpg">', 'a.jpg'],
    ['a lazy source behind a placeholder', '<img src="/img/placeholder.svg" data-original="/a.jpg">', '/a.jpg'],
    ['a lazy source before a placeholder of any name', '<img src="/grey.gif" data-original="a.jpg">', 'a.jpg'],
    ['the source before an attribute that others use too', '<img src="a.jpg" data-url="/page">', 'a.jpg'],
    ['a lazy source of any name', '<img src="data:image/gif;base64,R0" nitro-lazy-src="a.jpg">', 'a.jpg'],
    ['a lazy file of any name', '<img src="/blank.gif" data-orig-file="a.jpg" data-flickity-lazyload="b">', 'a.jpg'],
    ['a lazy set of any name', '<img src="data:," nitro-lazy-srcset="a.jpg 1w, b.jpg 2w" x-src="c.jpg">', 'b.jpg'],
    ['no further file if the source is no placeholder', '<img src="a.jpg" data-zoom-src="b.jpg">', 'a.jpg'],
    ['no lazy attribute that is no address', '<img src="a.jpg" data-src="{{src}}">', 'a.jpg'],
    ['a source of the picture', '<picture><source srcset="a.webp 2x, b.webp 1x"><img alt=x></picture>', 'a.webp'],
    ['its own before the picture’s', '<picture><source srcset="a.webp"><img src=b.jpg></picture>', 'b.jpg'],
  ])('is %s', (_, html, source) => {
    expect(sourceOf(html)).toBe(new URL(source, 'https://site.test/dir/').href)
  })

  it('takes the image of a noscript if it stands nowhere else', () => {
    expect(
      extractHtml('<img class=lazy><noscript><img src=real.jpg></noscript>').tree.$('img[src]').attr('src'),
    ).toMatch(/real/)
    expect(extractHtml('<img data-src=real.jpg><noscript><img src=real.jpg></noscript>').tree.$('img').length).toBe(1)
  })

  it.each([
    ['an image that a script unhides', '<img alt=a class=lazy data-src="a.jpg" style="display:none">'],
    ['an image that a script marks as shown', '<img alt=a src="/blank.gif" data-lazy-src="a.jpg" hidden>'],
    ['a picture that a script shows', '<picture style="visibility:hidden"><img alt=a data-src="a.jpg"></picture>'],
    ['an image that a script shows', '<img alt=a class=lazy data-src="a.jpg" style="visibility:hidden">'],
    ['one of any name', '<img alt=a nitro-lazy-src="a.jpg" style="visibility:hidden">'],
    ['one of a set', '<img alt=a style="opacity: 0; visibility: hidden" data-srcset="a.jpg 400w">'],
    ['the copy of a hidden image', '<img alt=a src="a.jpg" hidden><noscript><img alt=a src="a.jpg"></noscript>'],
  ])('keeps %s', (_, html) => {
    expect(markdownOf(`<p>text</p>${html}`)).toBe('text\n\n![a](https://site.test/dir/a.jpg)')
  })

  it('drops an excluded image, in a noscript as well', () => {
    const html = '<img class=lazy><noscript><img src=real.jpg></noscript>'
    expect(extractHtml(html, { excludeTags: ['img'] }).tree.$('img').length).toBe(0)
  })

  it('drops a tracking pixel in a noscript', () => {
    expect(extractHtml('<p>x</p><noscript><img src=count.gif width=1 height=1></noscript>').tree.$('img').length).toBe(
      0,
    )
  })
})
