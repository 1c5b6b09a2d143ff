import { describe, expect, it } from 'vitest'
import { readPlaylist } from '../../../src/features/media/playlist.js'

const url = 'https://harbour.test/films/tide.m3u8?key=1'
const read = (lines: readonly string[], wanted: 'audio' | 'video' = 'video') =>
  readPlaylist(Buffer.from(['#EXTM3U', ...lines].join('\r\n')), url, wanted)

const END = '#EXT-X-ENDLIST'

describe('readPlaylist', () => {
  it('lists segments, relative to the playlist, after their initialisation segment', () => {
    expect(
      read([
        '#EXT-X-MAP:URI="head.mp4"',
        '#EXTINF:6,',
        '0.m4s',
        '#EXTINF:6,',
        '',
        '/1.m4s',
        '#EXTINF:6,',
        '0.m4s',
        END,
      ]),
    ).toEqual({
      kind: 'pieces',
      urls: ['films/head.mp4', 'films/0.m4s', '1.m4s', 'films/0.m4s'].map((path) => `https://harbour.test/${path}`),
    })
    const whole = [
      '#EXT-X-MAP:URI="all.mp4",BYTERANGE="700@0"',
      '#EXT-X-BYTERANGE:900@700',
      'all.mp4',
      '#EXT-X-BYTERANGE:900',
      'all.mp4',
      END,
    ]
    expect(read(whole)).toEqual({ kind: 'pieces', urls: ['https://harbour.test/films/all.mp4'] })
  })

  it('chooses the video of the highest bit rate with audio, or a separate audio rendition', () => {
    const choices = [
      '#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="a",NAME="English, plain",URI="en.m3u8"',
      '#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="a",NAME="Deutsch",DEFAULT=YES,URI="de.m3u8"',
      '#EXT-X-STREAM-INF:BANDWIDTH=900000,CODECS="avc1,mp4a"',
      'high.m3u8',
      '#EXT-X-STREAM-INF:BANDWIDTH=9000000,AUDIO="a"',
      'split.m3u8',
      '#EXT-X-STREAM-INF:BANDWIDTH=100000',
      '#EXT-X-SOMETHING',
      'low.m3u8',
    ]
    expect(read(choices)).toEqual({ kind: 'choice', url: 'https://harbour.test/films/high.m3u8' })
    expect(read(choices, 'audio')).toEqual({ kind: 'choice', url: 'https://harbour.test/films/de.m3u8' })
    expect(read(choices.slice(2), 'audio')).toEqual({ kind: 'choice', url: 'https://harbour.test/films/low.m3u8' })
    expect(read([choices[0] ?? '', ...choices.slice(4, 6)])).toMatchObject({
      why: expect.stringContaining('separate playlists'),
    })
  })

  it.each([
    ['a live stream', ['#EXTINF:6,', '0.ts']],
    ['encrypted', ['#EXT-X-KEY:METHOD=AES-128,URI="k"', '0.ts', END]],
    ['neither http nor https', ['file:///etc/passwd', END]],
    ['neither http nor https', ['#EXT-X-MAP:URI="file:///etc/passwd"', '0.m4s', END]],
    ['neither http nor https', ['concat:/etc/passwd|0.ts', END]],
    ['an empty playlist', [END]],
    ['an empty playlist', ['#EXT-X-STREAM-INF:BANDWIDTH=1', 'file:///etc/passwd']],
    ['several videos', ['#EXT-X-MAP:URI="a"', '0', '#EXT-X-MAP:URI="b"', '1', END]],
    ['byte ranges of several files', ['#EXT-X-BYTERANGE:1@0', 'a', '#EXT-X-BYTERANGE:1@0', 'b', END]],
  ])('refuses a playlist with the reason: %s', (why, lines) => {
    expect(read(lines)).toEqual({ kind: 'refused', why: expect.stringContaining(why) })
  })

  it('reads hostile playlists in bounded time', () => {
    const long = `#EXT-X-MEDIA:${'A'.repeat(4_000_000)}`
    expect(read(['#EXT-X-STREAM-INF:BANDWIDTH=1', 'a', long])).toMatchObject({ kind: 'choice' })
    const choices = Array.from({ length: 40_000 }, (_, at) => [
      `#EXT-X-STREAM-INF:AUDIO="${at}"`,
      `${at}`,
      `#EXT-X-MEDIA:GROUP-ID="${at}",TYPE=AUDIO,URI="x"`,
    ])
    expect(read(choices.flat())).toMatchObject({ kind: 'refused' })
    expect(read([...Array.from({ length: 20_000 }, () => 'a'), END])).toMatchObject({
      why: expect.stringContaining('more than 3000'),
    })
  })

  it('refuses a playlist of more lines than its segments can have', () => {
    expect(read(['0.ts', ...Array<string>(29_998).fill('#EXT-X-KEY:METHOD=NONE')])).toEqual({
      kind: 'refused',
      why: 'it is a live stream',
    })
    expect(read(['0.ts', ...Array<string>(29_999).fill('#EXT-X-KEY:METHOD=NONE')])).toEqual({
      kind: 'refused',
      why: 'it has more than 30000 lines',
    })
  })

  it('refuses DASH and oversized playlists', () => {
    expect(readPlaylist(Buffer.from('<MPD/>'), url, 'video')).toMatchObject({ why: expect.stringContaining('DASH') })
    expect(readPlaylist(Buffer.alloc(5_000_000, '#'), url, 'video')).toMatchObject({
      why: expect.stringContaining('bytes'),
    })
  })
})
