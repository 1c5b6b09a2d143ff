import type { PageFunctions } from './page-functions.js'

/** The fields of autoconsent's messages that are read here. */
interface AutoconsentMessage {
  readonly type: string
  readonly id?: string
  readonly code?: string
  readonly result?: boolean
  readonly state?: { readonly lifecycle?: string }
}

declare global {
  interface Window {
    /** Called by the script of autoconsent. */
    autoconsentSendMessage?: (message: AutoconsentMessage) => Promise<void>
    /** Set by the script of autoconsent. */
    autoconsentReceiveMessage?: (message: object) => void
  }
}

/**
 * Answers the consent question by the rules of autoconsent, in the frame in which it is evaluated. Resolves to true if
 * the question was answered, after `maxMs` at the latest.
 */
export const answerConsent: PageFunctions['answerConsent'] = async ({ config, rules, maxMs }, runAutoconsent) =>
  await new Promise((resolve) => {
    const end = (isAnswered: boolean): void => {
      clearTimeout(timer)
      delete window.autoconsentSendMessage
      delete window.autoconsentReceiveMessage
      resolve(isAnswered)
    }
    const timer = setTimeout(() => end(false), maxMs)
    const reply = (message: object): void => window.autoconsentReceiveMessage?.(message)
    window.autoconsentSendMessage = async (message) => {
      if (message.type === 'init') {
        // The script sends this before it has set the function that receives the reply.
        await Promise.resolve()
        reply({ type: 'initResp', config, rules: { autoconsent: rules } })
      } else if (message.type === 'eval') {
        reply({ type: 'evalResp', id: message.id, result: await runRule(message.code ?? '') })
      } else if (message.type === 'autoconsentDone') end(true)
      else if (message.type === 'optOutResult' && !message.result) end(false)
      else if (message.type === 'report' && message.state?.lifecycle === 'nothingDetected') end(false)
    }
    runAutoconsent()
  })

async function runRule(code: string): Promise<unknown> {
  try {
    const { eval: globalEval } = window
    return (await globalEval(code)) as unknown
  } catch {
    // The page's content security policy forbids `eval`.
    return false
  }
}
