import { describe, expect, it } from 'vitest'
import {
  isCrash,
  isDownload,
  isNavigation,
  netErrorOf,
  PageScriptError,
} from '../../../src/features/browser/page/browser-errors.js'

const navigations = [
  'page.evaluate: Execution context was destroyed, most likely because of a navigation',
  'elementHandle.isVisible: Execution context was destroyed, most likely because of a navigation.',
  'elementHandle.click: Frame was detached\nCall log:\n  - attempting click action',
  'cdpSession.send: Protocol error (Runtime.callFunctionOn): Cannot find context with specified id',
  'cdpSession.send: Protocol error (Runtime.callFunctionOn): Execution context was destroyed.',
  'cdpSession.send: Protocol error (Runtime.evaluate): Inspected target navigated or closed',
  'cdpSession.send: Protocol error (Page.createIsolatedWorld): No frame for given id found',
  'elementHandle.$$: Protocol error (DOM.describeNode): Cannot find context with specified id',
]
const crashes = [
  'The page crashed',
  'page.goto: Page crashed',
  'browserContext.newPage: Target page, context or browser has been closed\nBrowser logs:',
  'page.screenshot: Target crashed ',
  'write ECONNRESET',
]
const others = [
  'elementHandle.click: Timeout 2000ms exceeded.\nCall log:\n  - <nav class="navigation"></nav> intercepts pointer events',
  'elementHandle.evaluate: Error: Execution context was destroyed',
  'elementHandle.evaluate: Error: The page crashed',
  'No navigation element',
  'The session has been closed',
  'locator.elementHandles: Unexpected token "" while parsing css selector "nav.navigation["',
]

describe('isNavigation and isCrash', () => {
  it.each(navigations)('take `%s` for a navigation', (message) => {
    expect([isNavigation(new Error(message)), isCrash(new Error(message))]).toEqual([true, false])
  })

  it.each(crashes)('take `%s` for a crash', (message) => {
    expect([isNavigation(new Error(message)), isCrash(new Error(message))]).toEqual([false, true])
  })

  it.each(others)('take `%s` for neither', (message) => {
    expect([isNavigation(new Error(message)), isCrash(new Error(message))]).toEqual([false, false])
  })

  it.each([...navigations, ...crashes])('take `%s` for neither if code on a page throws it', (message) => {
    const error = new PageScriptError(message)
    expect([isNavigation(error), isCrash(error)]).toEqual([false, false])
  })
})

it('netErrorOf and isDownload read what Playwright says, and not the address in its log', () => {
  const log = '\nCall log:\n  - navigating to "http://a.test/?net::ERR_CERT_X Download is starting"'
  expect(netErrorOf(new Error(`page.goto: net::ERR_CONNECTION_RESET at http://a.test/${log}`))).toBe(
    'ERR_CONNECTION_RESET',
  )
  expect(netErrorOf(new Error(`page.goto: Timeout 5ms exceeded.${log}`))).toBeUndefined()
  expect(isDownload(new Error(`page.goto: Download is starting${log}`))).toBe(true)
  expect(isDownload(new Error(`page.goto: Timeout 5ms exceeded.${log}`))).toBe(false)
})
