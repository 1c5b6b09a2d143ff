import { expect, it } from 'vitest'
import { createEngine } from '../../../src/index.js'

const engine = createEngine({ threads: 0 })

const read = async (html: string): Promise<string> =>
  (await engine.parse({ url: 'https://site.test/', body: `<link href="termynal.css"><main>${html}</main>` })).markdown

it('the output of a command is written without the tags of its colours', async () => {
  const line =
    '<span>$ </span>&lt;font color=&quot;#4E9A06&quot;&gt;pear&lt;/font&gt; dev &lt;u style=&quot;a:b&quot;&gt;main&lt;/u&gt;'
  const html = `<p>Run it:</p><div class="termy"><pre><code>${line}\n1 &amp;lt; 2</code></pre></div><p>That is all there is to do.</p>`
  expect(await read(html)).toContain('$ pear dev main\n1 < 2')
})

it('a listing of tags stays as it is', async () => {
  expect(await read('<p>Write this:</p><pre><code>&lt;b&gt;pear&lt;/b&gt;</code></pre>')).toContain('<b>pear</b>')
  expect(await read('<p>Write:</p><div class="termy"><pre>&lt;pear&gt; 1 &lt; 2</pre></div>')).toContain('<pear> 1 < 2')
})

it('a page with the class and without the program stays as it is', async () => {
  const html = '<main><p>Write:</p><div class="termy"><pre>&lt;b&gt;pear&lt;/b&gt;</pre></div></main>'
  expect((await engine.parse({ url: 'https://site.test/', body: html })).markdown).toContain('<b>pear</b>')
})
