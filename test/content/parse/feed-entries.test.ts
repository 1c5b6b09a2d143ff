import { expect, it } from 'vitest'
import { createEngine } from '../../../src/index.js'

const engine = createEngine({ threads: 0 })

const read = async (item: string): Promise<string> => {
  const body = `<?xml version="1.0"?><rss version="2.0" xmlns:media="http://search.yahoo.com/mrss/"><channel><title>Port</title>
    <item><title>Fog</title>${item}</item></channel></rss>`
  const { markdown } = await engine.parse({ url: 'https://port.test/feed', body, contentType: 'application/rss+xml' })
  return markdown.slice(markdown.indexOf('## Fog') + '## Fog'.length).trim()
}

it.each([
  ['escaped', '<description>&lt;![CDATA[No boat left]]&gt;</description>'],
  ['escaped, with markup', '<description>&lt;![CDATA[&lt;p&gt;No boat left&lt;/p&gt;]]&gt;</description>'],
  ['as it should be', '<description><![CDATA[<p>No boat left</p>]]></description>'],
])('the text of a CDATA section is read: %s', async (_, item) => {
  expect(await read(item)).toBe('No boat left')
})

it('an entry links to its files, once, and to no picture', async () => {
  const files = `<description>Listen</description><enclosure url="https://port.test/sound/fog.mp3?x=1" type="audio/mpeg"/>
    <media:content url="https://port.test/sound/fog.mp3?x=1" type="audio/mpeg"/><media:content url="https://port.test/fog.jpg" type="image/jpeg"/>`
  expect(await read(files)).toBe('Listen\n\n[fog.mp3](https://port.test/sound/fog.mp3?x=1)')
})

it('an entry whose text links to its file has no second link', async () => {
  const file = `<description>&lt;a href="https://port.test/fog.mp3"&gt;Listen&lt;/a&gt;</description>
    <enclosure url="https://port.test/fog.mp3" type="audio/mpeg"/>`
  expect(await read(file)).toBe('[Listen](https://port.test/fog.mp3)')
})

it('what a group of Media RSS says of an entry, and its file, are read', async () => {
  const group = `<media:group><media:content url="https://port.test/fog.mp4" type="video/mp4"/><media:description>Fog at dusk</media:description></media:group>`
  expect(await read(group)).toBe('Fog at dusk\n\n[fog.mp4](https://port.test/fog.mp4)')
})

it('HTML that a program has escaped twice is read, and none that a text writes about', async () => {
  expect(
    await read(
      '<description>&amp;lt;p&amp;gt;No &amp;lt;b&amp;gt;boat&amp;lt;/b&amp;gt;&amp;lt;/p&amp;gt;</description>',
    ),
  ).toBe('No **boat**')
  expect(await read('<description>&lt;p&gt;Write &amp;lt;b&amp;gt;&lt;/p&gt;</description>')).toContain('Write \\<b>')
})
