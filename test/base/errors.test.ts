import { inspect } from 'node:util'
import { afterEach, describe, expect, it } from 'vitest'
import { InvalidRequestError, TrawlError } from '../../src/base/errors.js'

const { prepareStackTrace } = Error
afterEach(() => (Error.prepareStackTrace = prepareStackTrace))

const issue = { code: 'custom', path: ['limit'], message: '0 is out of range' }

describe('an error', () => {
  it('shows no field that it has not', () => {
    expect(inspect(new TrawlError('SCRAPE_TIMEOUT', 'too slow'))).not.toContain('undefined')
    const whole = new TrawlError('SCRAPE_RATE_LIMITED', 'later', { url: 'https://a.test/', retryAfterMs: 5 })
    expect(inspect(whole)).toMatch(/url: 'https:\/\/a.test\/'[^]*retryAfterMs: 5/)
    expect(Object.keys(new TrawlError('SCRAPE_TIMEOUT', 'too slow'))).not.toContain('url')
  })

  it('of a request begins its stack with the line of the caller', () => {
    const frames = [
      '    at parseChecked (file:///srv/node_modules/.pnpm/trawl@1/node_modules/trawl/dist/chunks/engine.js:1:2)',
      String.raw`    at openEngine (C:\app\node_modules\trawl\dist\chunks\engine.js:3:4)`,
      '    at start (file:///srv/trawl/distance/app.js:5:6)',
      '    at file:///srv/app.js:7:8',
    ]
    Error.prepareStackTrace = ({ message }) => [message, ...frames].join('\n')
    const { stack } = new InvalidRequestError([issue])
    expect(stack?.split('\n')).toEqual(['Bad Request: limit: 0 is out of range', ...frames.slice(2)])
    expect(new TrawlError('SCRAPE_TIMEOUT', 'too slow').stack?.split('\n')).toHaveLength(5)
  })

  it('of a request leaves a stack that a host has replaced', () => {
    Error.prepareStackTrace = (_error, sites) => sites
    expect(new InvalidRequestError([issue]).stack).toBeInstanceOf(Array)
  })
})
