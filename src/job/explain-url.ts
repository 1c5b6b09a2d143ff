import type { Document } from '../document.js'
import type { JobLedger, LedgerRow } from '../ledger/ledger.js'
import { withScheme } from '../url.js'
import type { UnseenUrl } from './job.js'
import type { JobScript } from './job-script.js'
import type { JobTools } from './job-tools.js'

/** What a job knows of a URL, or would decide about it. Undefined for a string that is no URL. */
export async function explainUrl(
  url: string,
  ledger: JobLedger<Document>,
  script: JobScript,
  { robots }: Pick<JobTools, 'robots'>,
): Promise<LedgerRow | UnseenUrl | undefined> {
  const spelt = withScheme(url)
  if (!URL.canParse(spelt)) return undefined
  const asked = new URL(spelt)
  const row = await ledger.row(script.keyOf(asked))
  // A copy: the ledger's own row goes on, and is nobody's to change.
  if (row) return { ...row }
  const verdict = await script.judge?.(asked, robots)
  if (!verdict) return { outcome: 'unseen', url }
  if ('reason' in verdict) return { outcome: 'unseen', url, refusal: verdict }
  return { outcome: 'unseen', url, failure: { code: verdict.code, error: verdict.message } }
}
