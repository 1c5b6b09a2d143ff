import { describe, expect, it } from 'vitest'
import { identifyMedia } from '../../../src/features/media/identify-media.js'
import { makeMovie, makeMp3, makeWav } from '../../site/make-media.js'

const bytes = (text: string): Buffer => Buffer.from(text, 'latin1')
const tag = '\x04\0\0\0\0\0\x02??'

describe('identifyMedia', () => {
  it.each([
    ['audio/mpeg', makeMp3()],
    ['audio/mpeg', Buffer.concat([bytes(`ID3${tag}`), makeMp3()])],
    ['audio/mpeg', bytes(`ID3${tag}whatever`)],
    ['audio/flac', bytes(`ID3${tag}fLaC`)],
    ['audio/aac', bytes('\xff\xf1\x50\x80')],
    ['audio/wav', makeWav()],
    ['audio/ogg', bytes('OggS\0\x02..........\x01vorbis')],
    ['video/ogg', bytes('OggS\0\x02..........\x80theora')],
    ['audio/mp4', makeMovie({ brand: 'isom' })],
    ['audio/mp4', bytes('\0\0\0\x10ftypM4A \0\0\0\0')],
    ['video/mp4', makeMovie({ brand: 'mp42', tracks: ['soun', 'vide'], indexFirst: false })],
    ['video/mp4', bytes('\0\0\0\x10ftypiso5\0\0\0\0')],
    ['video/quicktime', makeMovie({ tracks: ['vide'] })],
    ['video/webm', bytes('\x1a\x45\xdf\xa3\x42\x82\x84webm.....V_VP9...A_OPUS')],
    ['audio/webm', bytes('\x1a\x45\xdf\xa3\x42\x82\x84webm.....A_OPUS')],
    ['video/x-matroska', bytes('\x1a\x45\xdf\xa3\x42\x82\x88matroska')],
    ['video/x-msvideo', bytes('RIFF....AVI LIST')],
    ['video/mp2t', bytes(`G${'.'.repeat(187)}`.repeat(3))],
    ['video/mpeg', bytes('\0\0\x01\xba')],
    ['playlist', bytes('#EXTM3U\n#EXTINF:3,\nfile:///etc/passwd')],
    ['playlist', bytes('<?xml version="1.0"?>\n<MPD xmlns="urn:mpeg:dash:schema:mpd:2011">')],
  ])('identifies %s by its bytes', (type, file) => {
    expect(identifyMedia(file)).toBe(type)
  })

  it.each([
    ['a page', '<!doctype html><audio src=a.mp3>'],
    ['a drawing', '<svg xmlns="http://www.w3.org/2000/svg"><script>1</script></svg>'],
    ['a list for ffmpeg', 'ffconcat version 1.0\nfile /etc/passwd'],
    ['a description of a session', 'v=0\no=- 0 0 IN IP4 127.0.0.1\nm=audio 5004 RTP/AVP 96'],
    ['a picture', '\xff\xd8\xff\xe0\0\x10JFIF'],
    ['a picture in a container', '\0\0\0\x10ftypavif\0\0\0\0'],
    ['a picture in RIFF', 'RIFF....WEBPVP8 '],
    ['text of two bytes for a letter', '\xff\xfeh\0t\0m\0l\0'],
    ['a tag with no length', 'ID3 is a kind of tag'],
    ['nothing', ''],
  ])('does not identify %s', (_, text) => {
    expect(identifyMedia(bytes(text))).toBeUndefined()
  })

  it('ignores the sizes that a file claims', () => {
    for (const text of [
      '\0\0\0\x01ftyp\xff\xff\xff\xff\xff\xff\xff\xff',
      '\xff\xff\xff\xffftypmp42',
      '\0\0\0\0ftyp',
      '\0\0\0\x02ftyp',
    ]) {
      expect(identifyMedia(bytes(text))).toMatch(/^video\//)
    }
  })
})
