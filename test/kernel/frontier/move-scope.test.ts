import { describe, expect, it } from 'vitest'
import { moveScope } from '../../../src/kernel/frontier/scope/move-scope.js'
import { foldersOf } from '../../../src/kernel/frontier/scope/scope.js'
import { scopePlan } from './scope-plan.js'

/** The hosts and folders that a crawl from `start` stays below once its start page has led to `target`. */
function placesOf(start: string, target: string): string[] {
  const scope = moveScope(scopePlan({ start }), new URL(target, start))
  return foldersOf(scope).map((folder) => `${new URL(scope.start).origin}${folder}`)
}

describe('a start page that leads to another folder of its host', () => {
  it.each([
    ['/docs', '/manual/'],
    ['/docs/', '/v2/docs/'],
    ['/guide/', '/en/guide/'],
    ['/Docs/', '/docs/'],
    ['/docs/v2/', '/docs/v3/'],
    ['/docs/a.html', '/manual/a.html'],
    ['/de/', '/en/'],
    ['/docs/', '/manual/?redirected_from=/docs/'],
  ])('makes a crawl of %s one of the folder of %s as well', (start, target) => {
    const folder = new URL(target, 'http://h.test').pathname.replace(/[^/]*\.html$/, '')
    expect(placesOf(`http://h.test${start}`, target)).toHaveLength(2)
    expect(placesOf(`http://h.test${start}`, target)[1]).toBe(`http://h.test${folder}`)
  })

  it.each([
    ['/docs/', '/'],
    ['/docs/', '/index.html'],
    ['/docs/', '/404.html'],
    ['/a/b/', '/a/'],
    ['/A/b/', '/a/'],
    ['/docs/', '/docs/intro/'],
    ['/docs/', '/en/'],
    ['/docs/', '/de-de/index.php'],
    ['/docs/', '/home'],
    ['/docs/', '/login'],
    ['/docs/', '/account/sign-in/'],
    ['/docs/', '/wp-login.php'],
    ['/docs/', '/members/?next=%2Fdocs%2F'],
    ['/docs/', '/members/?returnUrl=http://h.test/docs/'],
    ['/', '/manual/'],
  ])('does not widen a crawl of %s by %s', (start, target) => {
    const url = `http://h.test${start}`
    expect(placesOf(url, target)).toEqual([url])
  })

  it('leads nowhere else on a host that is crawled whole', () => {
    const scope = scopePlan({ crawlEntireDomain: true })
    expect(moveScope(scope, new URL('https://example.com/manual/'))).toBe(scope)
  })
})

describe('a start page that leads to another host', () => {
  it.each([
    // Of the domain: the whole host may be what has moved there.
    ['http://h.test/docs/', 'https://docs.h.test/', 'https://docs.h.test/'],
    ['http://h.test/docs/', 'https://docs.h.test/v2/intro.html?a=1#b', 'https://docs.h.test/v2/'],
    ['http://h.test/docs/', 'https://docs.h.test/en/', 'https://docs.h.test/en/'],
    // Of another domain.
    ['http://old.test/docs/', 'https://new.test/en/', 'https://new.test/docs/'],
    ['http://old.test/docs/', 'https://new.test/manual/', 'https://new.test/manual/'],
    ['http://old.test/', 'https://new.test/manual/', 'https://new.test/manual/'],
    ['http://old.test:8080/docs/', 'https://new.test/home', 'https://new.test/docs/'],
    ['http://old.test/docs/', 'http://new.test:8080/', 'http://new.test:8080/docs/'],
    ['http://old.test:8080/docs/', 'http://old.test/docs/', 'http://old.test/docs/'],
    // No page of the site.
    ['http://h.test/docs/', 'https://login.h.test/start', 'http://h.test/docs/'],
    ['http://h.test/', 'https://idp.test/auth?continue=http://h.test/', 'http://h.test/'],
  ])('moves the crawl of %s, by %s, to %s', (start, target, moved) => {
    expect(placesOf(start, target)).toEqual([moved])
  })
})
