import { visitWords } from './split-words.js'
import { areForms } from './word-forms.js'

/** Maximum number of words of a goal: a set of them is kept in the bits of one number. */
export const MAX_GOAL_WORDS = 30

/** Words of questions that say nothing about their subject, in the languages most of the web is written in. */
const STOP_WORDS: ReadonlySet<string> = new Set(
  (
    'a about all an and any are as at be between by can do does each for from get has have how i if in into is it its me my not of ' +
    'on one or other our over should that the their them there these this to use used using was we what when where which who why ' +
    'will with without you your ' +
    'aber als am auf aus bei das dem den der des die ein eine einem einen einer es fur ich im ist kann man mein mit nach oder ' +
    'sich sind uber um und unter vom von vor wann warum was welche wenn wer werden wie wird wo zu zum zur ' +
    'au aux avec ce ces cette comment dans de des du elle en est et il je la le les leur mon ne nous ou par pas pour quand que ' +
    'quel quelle quelles quels qui quoi sans se ses son sont sur un une vous ' +
    'como con cual cuando de del donde el ella en es esta este la las lo los mi no o para pero por que se si sin sobre su sus un ' +
    'una y'
  ).split(' '),
)

/**
 * Reads the words of a goal that pages are compared with: its words without stop words, each form once. A goal of stop words
 * only keeps them.
 *
 * @returns at most {@link MAX_GOAL_WORDS}, in the order of the goal
 */
export function readGoalWords(goal: string): string[] {
  const all: string[] = []
  visitWords(goal, (word) => {
    if (!all.some((known) => areForms(known, word))) all.push(word)
  })
  const content = all.filter((word) => !STOP_WORDS.has(word))
  return (content.length > 0 ? content : all).slice(0, MAX_GOAL_WORDS)
}
