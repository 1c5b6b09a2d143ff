/** What is expected for `search`, `ai-input` and `ai-train`, in this order: `g` granted, `d` denied, `-` unstated. */
export type Expected = string

/** A site with policy files, and what its specification says about a page of it. */
export interface PermissionCase {
  readonly name: string
  /** Specification and section that decides. */
  readonly by: string
  /** Path of the page. @default /page */
  readonly path?: string
  /** Files by path. `ORIGIN` stands for the origin of the site. */
  readonly files?: Readonly<Record<string, string>>
  readonly headers?: Readonly<Record<string, string>>
  /** Elements of the page's head. */
  readonly head?: string
  readonly expected: Expected
  /** Part of the message of a denial. */
  readonly because?: string
}

const robots = (...lines: readonly string[]) => ({ files: { '/robots.txt': lines.join('\n') } })

const SIGNALS = 'Content Signals Policy, (a) to (c)'
const ATTACH = 'draft-ietf-aipref-attach section'
const VOCAB = 'draft-ietf-aipref-vocab section'
const RFC = 'RFC 9309 section'

export const robotsCases: readonly PermissionCase[] = [
  { name: 'no file', by: `${SIGNALS}: no signal`, expected: '---' },
  {
    name: 'three signals',
    by: SIGNALS,
    ...robots('User-agent: *', 'Content-Signal: search=yes, ai-input=no, ai-train=no'),
    expected: 'gdd',
    because: 'robots.txt line 2: Content-Signal: search=yes, ai-input=no, ai-train=no',
  },
  {
    name: 'the default of a managed file',
    by: SIGNALS,
    ...robots('# policy text', 'User-Agent: *', 'Content-signal: search=yes,ai-train=no,use=reference', 'Allow: /'),
    expected: 'g-d',
    because: 'line 3',
  },
  {
    name: 'all signals are yes',
    by: `${SIGNALS} (a)`,
    ...robots('User-agent: *', 'Content-Signal: ai-train=yes, search=yes, ai-input=yes'),
    expected: 'ggg',
  },
  {
    name: 'a signal left out',
    by: `${SIGNALS} (c)`,
    ...robots('User-agent: *', 'Content-Signal: search=yes'),
    expected: 'g--',
  },
  {
    name: 'nothing may be kept',
    by: 'levels of use',
    ...robots('User-agent: *', 'Content-Signal: ai-input=yes,use=immediate'),
    expected: 'dgd',
  },
  {
    name: 'excerpts may be kept, and a signal of its own comes before it',
    by: 'levels of use',
    ...robots('User-agent: *', 'Content-Signal: use=reference, ai-train=yes'),
    expected: '--g',
  },
  {
    name: 'everything may be kept',
    by: 'levels of use',
    ...robots('User-agent: *', 'Content-Signal: use=full'),
    expected: '---',
  },
  {
    name: 'a value that is neither yes nor no',
    by: `${SIGNALS} (c)`,
    ...robots('User-agent: *', 'Content-Signal: search=maybe, ai-train=no'),
    expected: '--d',
  },
  {
    name: 'signals for another crawler',
    by: `${RFC} 2.2.1`,
    ...robots('User-agent: OtherBot', 'Content-Signal: ai-train=no', 'Disallow:'),
    expected: '---',
  },
  {
    name: 'signals of the group that names the crawler',
    by: `${RFC} 2.2.1`,
    ...robots(
      'User-agent: *',
      'Content-Signal: ai-train=no',
      'Allow: /',
      '',
      'User-agent: trawl',
      'Content-Signal: ai-train=yes',
      'Allow: /',
    ),
    expected: '--g',
  },
  {
    name: 'two groups for one crawler are one',
    by: `${RFC} 2.2.1`,
    ...robots(
      'User-agent: trawl',
      'Content-Signal: search=yes',
      'Allow: /',
      'User-agent: trawl',
      'Content-Signal: ai-train=no',
    ),
    expected: 'g-d',
  },
  {
    name: 'conflicting signals',
    by: `${VOCAB} 5.1, applied to signals`,
    ...robots('User-agent: *', 'Content-Signal: ai-train=yes', 'Content-Signal: ai-train=no'),
    expected: '--d',
    because: 'line 3',
  },
  {
    name: 'signals with a path',
    by: `${ATTACH} 3.1, applied to signals`,
    path: '/news/a',
    ...robots('User-agent: *', 'Content-Signal: / ai-train=no', 'Content-Signal: /news/ ai-train=yes'),
    expected: '--g',
  },
  {
    name: 'a signal of another path',
    by: `${ATTACH} 3.1, applied to signals`,
    ...robots('User-agent: *', 'Content-Signal: /news/ ai-train=no'),
    expected: '---',
  },
  {
    name: 'a comment after the signals',
    by: `${RFC} 2.2`,
    ...robots('User-agent: *', 'Content-Signal: ai-input=no # no answers'),
    expected: '-d-',
  },
  {
    name: 'a page that must not be crawled',
    by: `${ATTACH} 3.1: no preferences are implied`,
    ...robots('User-agent: *', 'Disallow: /page', 'Content-Signal: ai-train=no', 'Content-Usage: / train-ai=n'),
    expected: '---',
  },
  {
    name: 'an HTML page in place of the file',
    by: `${RFC} 2.2: lines that are no rules`,
    ...robots('<!doctype html>', '<p>Content-Signal says no</p>'),
    expected: '---',
  },
  {
    name: 'usage of the whole site',
    by: `${ATTACH} 1.2`,
    ...robots('User-Agent: *', 'Allow: /', 'Content-Usage: / train-ai=n'),
    expected: '--d',
    because: 'line 3: Content-Usage: / train-ai=n',
  },
  {
    name: 'the example of the draft, /test',
    by: `${ATTACH} 3.4`,
    path: '/test',
    ...robots(
      'User-Agent: *',
      'Allow: /',
      'Disallow: /never/',
      'Content-Usage: / train-ai=n',
      'Content-Usage: /ai-ok/ train-ai=y',
    ),
    expected: '--d',
  },
  {
    name: 'the example of the draft, /ai-ok/test',
    by: `${ATTACH} 3.4`,
    path: '/ai-ok/test',
    ...robots(
      'User-Agent: *',
      'Allow: /',
      'Disallow: /never/',
      'Content-Usage: / train-ai=n',
      'Content-Usage: /ai-ok/ train-ai=y',
    ),
    expected: '--g',
  },
  {
    name: 'the example of the draft, another crawler',
    by: `${ATTACH} 3.4`,
    path: '/test',
    ...robots(
      'User-Agent: *',
      'Content-Usage: / train-ai=n',
      '',
      'User-Agent: trawl',
      'Allow: /',
      'Content-Usage: / train-ai=y',
    ),
    expected: '--g',
  },
  {
    name: 'equal paths in conflict',
    by: `${ATTACH} 3.1, ${VOCAB} 5.1`,
    ...robots('User-agent: *', 'Content-Usage: / train-ai=y, search=y', 'Content-Usage: / train-ai=n'),
    expected: 'g-d',
  },
  {
    name: 'the order of rules has no meaning',
    by: `${ATTACH} 3.1`,
    path: '/ai-ok/test',
    ...robots('User-agent: *', 'Content-Usage: /ai-ok/ train-ai=y', 'Disallow: /never', 'Content-Usage: / train-ai=n'),
    expected: '--g',
  },
  {
    name: 'all three categories',
    by: `${VOCAB} 6.1`,
    ...robots('User-agent: *', 'Content-Usage: / train-ai=n, ai-use=y, search=n'),
    expected: 'dgd',
  },
  {
    name: 'an unknown category',
    by: `${VOCAB} 6.4`,
    ...robots('User-agent: *', 'Content-Usage: / bots=n, train-ai=y'),
    expected: '--g',
  },
  {
    name: 'a repeated label',
    by: `${VOCAB} 6.5.1: the last value`,
    ...robots('User-agent: *', 'Content-Usage: / train-ai=n, train-ai=y'),
    expected: '--g',
  },
  {
    name: 'values that are no tokens',
    by: `${VOCAB} 6.5.1`,
    ...robots('User-agent: *', 'Content-Usage: / train-ai=y, train-ai, search=n, search="n"'),
    expected: '---',
  },
  {
    name: 'parameters',
    by: `${VOCAB} 6.5.2`,
    ...robots('User-agent: *', 'Content-Usage: / train-ai;allow=n, train-ai=y'),
    expected: '--g',
  },
  {
    name: 'a dictionary that does not parse',
    by: `${VOCAB} 6.5.1`,
    ...robots('User-agent: *', 'Content-Usage: / Train-AI=n, search=n'),
    expected: '---',
  },
  {
    name: 'a wildcard in the path',
    by: `${RFC} 2.2.3`,
    path: '/a/draft.html',
    ...robots('User-agent: *', 'Content-Usage: /*.html$ train-ai=n'),
    expected: '--d',
  },
  {
    name: 'a rule outside of a group',
    by: `${RFC} 2.2`,
    ...robots('Content-Usage: / train-ai=n', 'User-agent: *', 'Allow: /'),
    expected: '---',
  },
  {
    name: 'usage without a path, as guides write it',
    by: 'RSL guide "RSL and AI Preferences"',
    ...robots('User-Agent: *', 'Allow: /', '', 'Content-Usage: train-ai=n'),
    expected: '--d',
  },
  {
    name: 'signals and usage disagree',
    by: `${VOCAB} 5.1`,
    ...robots('User-agent: *', 'Content-Signal: ai-train=yes', 'Content-Usage: / train-ai=n'),
    expected: '--d',
    because: 'Content-Usage',
  },
]
