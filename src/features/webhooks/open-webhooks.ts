import type { EngineParts } from '../../kernel/engine/entry-points.js'
import type { EngineExtension } from '../../kernel/engine/feature.js'
import { createReportPoster } from '../../kernel/fetch/http/post-report.js'
import type { ReporterJob } from '../../kernel/job/job-reporter.js'
import { listUndelivered } from './list-undelivered.js'
import type { WebhookPlan } from './webhook-options.js'
import { WebhookReporter } from './webhook-reporter.js'

/** Adds webhooks to the jobs of an engine. */
export function openWebhooks({ settings, jobTools }: EngineParts): EngineExtension {
  const poster = createReportPoster({ ...settings, secret: settings.webhookSecret })
  const { now, setTimer } = jobTools
  const tools = { now, setTimer, post: poster.post }
  return {
    reporter: (job: ReporterJob<WebhookPlan>) => new WebhookReporter(job, tools),
    jobCalls: {
      async undelivered(options = {}) {
        return listUndelivered(options, this, await this.openLedger())
      },
    },
    release: () => poster.close(),
  }
}
