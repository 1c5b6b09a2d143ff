import { describe, expect, test } from 'vitest'
import { isLoginTitle, judgeLoginPage } from '../../../src/features/login/judge-login-page.js'
import { readLoginSigns } from '../../../src/features/login/read-login-signs.js'
import { loginPages } from './login-markup.js'
import { besides, ordinaryPages } from './ordinary-pages.js'

const judge = (html: string, path: string): string | undefined => {
  const url = `https://harbour.test${path}`
  const page = { url, statusCode: 200, headers: {}, contentType: 'text/html; charset=utf-8' }
  const body = Buffer.from(html)
  const signs = readLoginSigns({ ...page, body, redirects: [], fetcher: 'http', fetchedAtMs: 0 })
  return judgeLoginPage({ ...page, finalUrl: url, signs, known: undefined, alike: 0 })
}

const pages = Object.entries(ordinaryPages).flatMap(([name, html]) =>
  Object.entries(besides)
    // A script may open it: beside the title of a login, it may be the login itself.
    .filter(([what]) => what !== 'a login in a closed menu' || !isLoginTitle(/<title>(.*?)</.exec(html)?.[1] ?? ''))
    .map(([what, part]) => [`${name}, with ${what}`, part(html)] as const),
)
const PATHS = ['/posts/1', '/docs/auth/', '/help/login', '/blog/log-in-with-a-passkey', '/']

test('of more than 500 pages about logging in, with boxes beside their content, none is taken for the login page', () => {
  expect(pages.length).toBeGreaterThan(500)
  const alarms = pages.flatMap(([name, html], at) => {
    const path = PATHS[at % PATHS.length] ?? ''
    const why = judge(html, path)
    return why === undefined ? [] : [`${name} at ${path}: ${why}`]
  })
  expect(alarms).toEqual([])
})

test('login pages are known with the same boxes', () => {
  const own = Object.entries(loginPages).filter(([, { status = 200 }]) => status === 200)
  const missed = own.flatMap(([name, { html }]) =>
    Object.entries(besides).flatMap(([what, part]) => {
      // Where there is more to fill in, a form with a password and no word of a login is a part of the page.
      if (what === 'a form for a comment') return []
      const isKnown = judge(html, '/reports/1') === undefined || judge(part(html), '/reports/1') !== undefined
      return isKnown ? [] : [`${name}, with ${what}`]
    }),
  )
  expect(missed).toEqual([])
})

describe('a form with a password and little else', () => {
  const form = (action: string): string =>
    `<form method="post" action="${action}"><input name="user"><input type="password" name="pass"><button>Go</button></form>`
  const google = '<form method="post" action="/auth/google"><button>Google</button></form>'

  test.each([
    ['that is sent to its own page, whatever its subject', '/subscriptions/5', `<title>Harbour</title>${form('')}`],
    ['beside one for another site', '/reports/1', `<title>Harbour</title>${form('/in')}${google}`],
  ])('%s, is the login', (_, path, html) => expect(judge(html, path)).toContain('has a form with a password'))

  test('that is sent to its own page, whose title says that it registers, is none', () =>
    expect(judge(`<title>Register</title>${form('')}`, '/register')).toBeUndefined())
})
