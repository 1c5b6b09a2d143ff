import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, it } from 'vitest'
import { createPoster } from '../../../src/base/llm/post-json.js'

it('the message about a response that is cut off says so', async () => {
  const server = createServer((_, response) => {
    response.writeHead(200, { 'content-length': '500' })
    response.write('{"choices":[', () => response.destroy())
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const poster = createPoster()
  const url = new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`)
  await expect(poster.post(url, {}, '{}', new AbortController().signal)).rejects.toMatchObject({
    message: expect.stringContaining('ended the connection before its answer was complete'),
    isTransient: true,
  })
  await poster.close()
  server.close()
})
