import { expect, it } from 'vitest'
import { crawl, prose } from './made-up-site.js'

it('a host that answers on every subdomain, and links to further ones, is a trap', () => {
  const { fetched, refused, ended, message } = crawl(
    (path) => {
      const { origin, hostname } = new URL(path, 'https://example.com')
      const name = hostname === 'example.com' ? 'x' : (hostname.split('.')[0] ?? '')
      const links = ['a', 'b'].map((letter) => `https://${name}${letter}.example.com/`)
      return { text: prose(path.endsWith('about') ? 4 : 3, 100), links: [...links, `${origin}/about`] }
    },
    { most: 5000 },
  )
  expect(ended).toBe(true)
  expect(fetched.length).toBeLessThanOrEqual(700)
  expect(refused.length).toBeGreaterThan(0)
  expect(message).toMatch(/^pages like \*\.example\.com\/(about)? repeat each other/)
})
