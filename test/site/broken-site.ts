import { createServer, type Socket } from 'node:net'

/** Ways in which the body of an answer cannot be read: header lines, and what is sent after them. */
export const breakages: Readonly<Record<string, readonly [lines: string, send: (socket: Socket) => void]>> = {
  'labelled gzip, and plain': [
    'Content-Encoding: gzip\r\nContent-Length: 9\r\n',
    (socket) => socket.write('forbidden'),
  ],
  'labelled br, and plain': ['Content-Encoding: br\r\nContent-Length: 9\r\n', (socket) => socket.write('forbidden')],
  'labelled compress': ['Content-Encoding: compress\r\nContent-Length: 9\r\n', (socket) => socket.write('forbidden')],
  'shorter than its length': ['Content-Length: 500\r\n', (socket) => socket.end('begun')],
  'without the end of its chunks': ['Transfer-Encoding: chunked\r\n', (socket) => socket.end('5\r\nbegun\r\n')],
  'longer than the limit': ['Content-Length: 999999999\r\n', (socket) => socket.write('begun')],
  'that hangs': ['Content-Length: 500\r\n', (socket) => socket.write('begun')],
  'that drips': [
    'Content-Length: 5000\r\n',
    (socket) => {
      const drip = setInterval(() => socket.write('.'), 50)
      socket.once('close', () => clearInterval(drip))
    },
  ],
}

const page = '<title>Page</title><main><p>A page with a text.</p></main>'
const home = `${page}<a href="/a">a</a>`

/** A site of two pages. The paths that `isBroken` names answer with a status and a body that cannot be read. */
export async function startBrokenSite(status: number, how: string, isBroken: (path: string) => boolean) {
  const [lines, send] = breakages[how] ?? ['', () => undefined]
  const asked: string[] = []
  const server = createServer((socket) => {
    socket.on('error', () => undefined)
    socket.on('data', (data) => {
      const path = data.toString().split(' ')[1] ?? ''
      asked.push(path)
      const whole = (line: string, body: string, more = '') =>
        socket.write(
          `HTTP/1.1 ${line}\r\n${more}Content-Type: text/html\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
        )
      if (isBroken(path)) {
        socket.write(`HTTP/1.1 ${status} Broken\r\nContent-Type: text/html\r\n${lines}\r\n`)
        send(socket)
      } else if (path === '/' || path === '/a') whole('200 OK', path === '/' ? home : page)
      else whole('404 Not Found', '')
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  const url = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`
  return { url, asked, [Symbol.dispose]: () => void server.close() }
}
