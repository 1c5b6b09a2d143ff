import type { EngineParts } from '../../kernel/engine/entry-points.js'
import { defineFeature, type EngineExtension } from '../../kernel/engine/feature.js'
import { createReportPoster } from '../../base/http/post-report.js'
import type { ReporterJob } from '../../kernel/job/job-reporter.js'
import type { RangeOptions } from '../../kernel/job/job.js'
import { signingKeyDefinition } from '../../kernel/options/fields/receiver.js'
import type { OptionDefinitions } from '../../kernel/options/option-definition.js'
import { listUndelivered } from './list-undelivered.js'
import { planWebhook, type WebhookOptions, type WebhookPlan, webhookSchema } from './webhook-options.js'
import { WebhookReporter } from './webhook-reporter.js'
import { NAME, type UndeliveredReport } from './write-report.js'

export type { Webhook, WebhookOptions } from './webhook-options.js'
export type { ReportType, UndeliveredReport } from './write-report.js'

/** Setting of an engine whose jobs report to webhooks. */
export interface WebhookConfig {
  /**
   * Key that signs the reports to webhooks: `X-Firecrawl-Signature: sha256=…` is the HMAC-SHA256 of the body, in hex. It
   * is not stored.
   * @default none: they are not signed
   */
  webhookSecret?: string
}

/** Call on a job about the reports to its webhook. */
export interface WebhookCalls {
  /**
   * Lists the reports that the job's `webhook` has not received: those waiting to be sent, and those given up after four attempts. In
   * the order in which they were created.
   *
   * @param options.skip reports to skip. @default 0
   * @param options.limit reports to return, 0 to 1000. @default 100
   * @throws InvalidRequestError
   */
  undelivered(options?: RangeOptions): Promise<readonly UndeliveredReport[]>
}

declare module '../../kernel/options/feature-options.js' {
  interface FeatureConfig extends WebhookConfig {}
  interface FeatureJobOptions extends WebhookOptions {}
}

declare module '../../kernel/job/job-hooks.js' {
  interface FeatureJobCalls extends WebhookCalls {}
}

/** Adds webhooks to the jobs of an engine. */
function openWebhooks({ settings, jobTools }: EngineParts): EngineExtension {
  const poster = createReportPoster({ ...settings, secret: settings.webhookSecret })
  const { waitNow, setTimer } = jobTools
  const tools = { now: waitNow, setTimer, post: poster.post }
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

/** Webhooks: receivers of reports about jobs. @internal */
export const webhooks = defineFeature({
  name: NAME,
  options: {
    engine: { webhookSecret: signingKeyDefinition } satisfies OptionDefinitions<WebhookConfig>,
    job: {
      webhook: {
        schema: (z) => webhookSchema(z).optional(),
        help: 'URL that receives reports of the job, or an object with url, headers, metadata, events',
        isReceiver: true,
      },
    } satisfies OptionDefinitions<WebhookOptions>,
  },
  planJob(_page, options) {
    const slice = planWebhook(options)
    return slice && { slice }
  },
  extendEngine: openWebhooks,
})
