import { askEach } from './ask-each.js'
import type { PageModel } from '../page-model.js'
import type { PagePart } from './page-text.js'
import { WORDS_SYSTEM, writePrompt } from './prompts.js'
import { isUnfinishedThought, withoutThoughts } from './read-json.js'

/** A question with an answer in prose. */
interface WordsQuestion {
  /** Name of the output field. */
  readonly field: string
  readonly task: string
  /** Task that combines the answers about the parts of a long page. */
  readonly combine: string
  /** Answer for a part that says nothing about the question; such answers are ignored. */
  readonly nothing?: string
  readonly url: string
}

/** An answer in prose; undefined when there is none. */
interface WordsAnswer {
  readonly text: string | undefined
  readonly warnings: readonly string[]
}

/** Asks about a page; for a long one about each part, and then about the answers. */
export async function askInWords(
  question: WordsQuestion,
  parts: readonly PagePart[],
  model: PageModel,
): Promise<WordsAnswer> {
  const { field, task, combine, nothing, url } = question
  const warnings: string[] = []
  const ask = async (prompt: string): Promise<string | undefined> => {
    const { text, finish } = await model.ask({
      system: WORDS_SYSTEM,
      prompt,
      isUsable: (answer) => answer.trim() !== '' && !isUnfinishedThought(answer),
    })
    const answer = isUnfinishedThought(text) ? '' : withoutThoughts(text).trim()
    if (finish === 'refusal') warnings.push(`The model refused to answer for \`${field}\`.`)
    if (finish === 'length')
      warnings.push(
        answer === ''
          ? `There is no \`${field}\`: the model reached \`modelOptions.maxOutputTokens\` before it answered.`
          : `\`${field}\` is longer than \`modelOptions.maxOutputTokens\`, and was truncated.`,
      )
    return finish === 'refusal' || answer === '' ? undefined : answer
  }
  const asked = await askEach(field, parts, ({ text }, part) => ask(writePrompt({ task, url, text, part })))
  warnings.push(...asked.warnings)
  const given = asked.answers.filter((answer) => answer !== undefined)
  const useful = given.filter((answer) => nothing === undefined || !answer.includes(nothing))
  const used = useful.length > 0 ? useful : given.slice(0, 1)
  const text = used.length < 2 ? used[0] : await ask(writePrompt({ task: combine, url, text: used.join('\n\n') }))
  const unique = [...new Set(warnings)]
  if (text === undefined && unique.length === 0)
    unique.push(`There is no \`${field}\`: the model gave an empty answer.`)
  return { text, warnings: unique }
}
