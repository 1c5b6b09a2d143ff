import { printSeen, TrawlError } from '../../../base/errors.js'
import type { Attempt, LedgerRow } from '../../../kernel/ledger/ledger.js'
import type { UnseenUrl } from '../../../kernel/job/job.js'
import { fitParts } from '../answer.js'
import { cutTitle } from '../describe-page.js'
import { defineTool, jobSchema } from '../tool.js'

/** Explains what a crawl did with a URL. */
export const explainTool = defineTool({
  name: 'explain',
  description:
    'Explains what a crawl did with a URL: how it was found, why it was skipped or failed, and each attempt. Also for a URL that the crawl never saw.',
  isReadOnly: true,
  input: (z) => z.strictObject({ job: jobSchema(z), url: z.string().describe('Absolute URL.') }),
  async run({ job: id, url }, { jobs, maxTokens }) {
    const row = await jobs.find(id).job.explain(url)
    if (!row) throw new TrawlError('BAD_REQUEST', `\`url\`: ${printSeen(url)} is not a URL`)
    const lines = row.outcome === 'unseen' ? describeUnseen(row) : describeRow(row)
    return { head: '', parts: await fitParts(lines, maxTokens), between: '\n', maxTokens }
  },
})

const describeUnseen = ({ url, refusal, failure }: UnseenUrl): string[] => [
  `URL: ${url}`,
  'Outcome: the crawl has not seen this URL',
  refusal
    ? `It would be skipped: ${refusal.reason}: ${refusal.message}`
    : failure
      ? `It would fail: ${failure.code}: ${failure.error}`
      : 'A link to it would be followed',
]

function describeRow(row: LedgerRow): string[] {
  const { url, outcome, via, depth, foundOn, anchor, finalUrl, refusal, failure, duplicateOf, score, attempts } = row
  const link = anchor === undefined || anchor === '' ? '' : ` with the text ${JSON.stringify(cutTitle(anchor))}`
  return [
    `URL: ${url}`,
    `Outcome: ${outcome}`,
    `Found: ${via}${foundOn === undefined ? '' : ` on ${foundOn}`}${link}, ${depth} links from the start`,
    ...(score === undefined ? [] : [`Promise for the goal: ${score.score}, from 0 to 1`]),
    ...(refusal ? [`Skipped: ${refusal.reason}: ${refusal.message}`] : []),
    ...(failure ? [`Failed: ${failure.code}: ${failure.error}`] : []),
    ...(finalUrl === undefined ? [] : [`Redirected to: ${finalUrl}`]),
    ...(duplicateOf === undefined ? [] : [`Same content as: ${duplicateOf}`]),
    ...attempts.map(describeAttempt),
  ]
}

function describeAttempt(attempt: Attempt, index: number): string {
  const { startedAtMs, endedAtMs, fetcher, fetcherReason, statusCode, blocks = [], code, error } = attempt
  const facts = [
    ...(fetcher === undefined ? [] : [`by ${fetcher}`]),
    ...(fetcherReason === undefined ? [] : [`because ${fetcherReason}`]),
    ...(statusCode === undefined ? [] : [`status ${statusCode}`]),
    ...blocks.map(({ vendor = 'unknown', evidence }) => `blocked by ${vendor} (${evidence})`),
    ...(code === undefined ? [] : [`${code}: ${error ?? ''}`]),
  ]
  return `Attempt ${index + 1}: ${facts.join(', ')}, ${Math.round(endedAtMs - startedAtMs)} ms`
}
