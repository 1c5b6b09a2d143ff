import { createRobots, type Robots, type RobotsVerdict } from '../../../src/kernel/frontier/robots/robots.js'

export const origin = 'https://example.com'

/** Creates robots for which every origin has this file. */
export function openRobots(file: string | Uint8Array): Robots {
  const body = typeof file === 'string' ? Buffer.from(file) : file
  return createRobots({ get: async (url) => ({ url, statusCode: 200, body }), now: () => 0 })
}

/** Parses a file given as text or bytes. */
export const judge = (file: string | Uint8Array, path: string, agent = 'trawl'): Promise<RobotsVerdict> =>
  openRobots(file).judge(new URL(origin + path), agent)

export const isAllowed = async (file: string | Uint8Array, path: string, agent?: string): Promise<boolean> =>
  (await judge(file, path, agent)).allowed

export const forAll = (...rules: string[]): string => ['User-agent: *', ...rules].join('\n')
