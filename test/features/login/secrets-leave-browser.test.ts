import { describe, expect, it } from 'vitest'
import { createEngine } from '../../../src/index.js'
import { config, form, leaks, siteLogin, other, plain, secure, show, traps, useHosts } from './leaky-site.js'
import { PASSWORD } from './login-site.js'

const NOT_SENT = /its form would send the secrets over plain http|A form was not sent to `127\.0\.0\.1:\d+`/

useHosts()

describe('the password of a login of https is not sent in the browser by', () => {
  const scripted = (html: string): string =>
    `<body><script>setTimeout(() => { document.body.innerHTML = ${JSON.stringify(html)} }, 50)</script>`
  const more: Record<string, () => void> = {
    'a button for plain http'() {
      secure.pages = { '/login': show(form('/in', { button: `formaction="${plain.site.url('/take')}"` })) }
    },
    'a form with a field that hides where it is for'() {
      const html = form(plain.site.url('/take')).replace('<input', '<input type="hidden" name="action"><input')
      secure.pages = { '/login': show(html) }
    },
    'a script that sends it by a request, which is sent on'() {
      const script = `<script>document.querySelector('form').addEventListener('submit', (event) => {
        event.preventDefault(); fetch('/in', { method: 'POST', mode: 'no-cors', body: new URLSearchParams(new FormData(event.target)) }) })</script>`
      secure.pages = {
        '/login': show(form('/in') + script),
        '/in': show('', 307, { location: other.site.url('/take') }),
      }
    },
    'a form that a script makes'() {
      secure.pages = { '/login': show(scripted(form(plain.site.url('/take')))) }
    },
  }

  const names = [
    'a form for plain http',
    'a page of plain http, whose form is for https',
    'a form that 307 sends on to another host',
  ]

  it.each([...names, ...Object.keys(more)])(
    '%s',
    async (name) => {
      ;(traps[name] ?? more[name])?.()
      await using engine = createEngine(config)
      // The browser is asked at once: over HTTP there is no form.
      const trap = secure.pages['/login']
      let visits = 0
      secure.pages['/login'] = (exchange) => {
        visits += 1
        return visits === 1 ? show('<title>Acme</title><p>Please wait.</p>')(exchange) : trap?.(exchange)
      }
      const scraped = engine.scrape(secure.site.url('/members'), { login: siteLogin(), skipTlsVerification: true })
      await scraped.catch((error: unknown) => {
        expect(String(error)).not.toContain(PASSWORD)
        // What did not leave is named, in the place of a site that could not be reached.
        if (!String(error).includes('its form came back')) expect(String(error)).toMatch(NOT_SENT)
      })
      expect(visits).toBeGreaterThan(1)
      expect(leaks()).toEqual([])
    },
    60_000,
  )
})
