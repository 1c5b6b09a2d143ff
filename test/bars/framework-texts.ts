/** What a page of the bar has to say: made here, and found on no other page. */
export interface FrameworkText {
  readonly title: string
  readonly sentences: readonly string[]
  /** What a dashboard shows instead. */
  readonly numbers: readonly { readonly label: string; readonly value: string }[]
}

const places = [
  'Orsk',
  'Lindau',
  'Vigo',
  'Tartu',
  'Bergen',
  'Nara',
  'Quito',
  'Leuven',
  'Split',
  'Galway',
  'Turku',
  'Trier',
]
const things = [
  'harbour',
  'lighthouse',
  'orchard',
  'tramway',
  'library',
  'clock tower',
  'canal',
  'observatory',
  'paper mill',
  'market hall',
  'herbarium',
  'ferry',
]
const people = [
  'a surveyor',
  'two sisters',
  'the town clerk',
  'a retired teacher',
  'an apprentice',
  'the harbour master',
  'a botanist',
]

const templates: readonly ((thing: string, place: string, who: string, n: number) => string)[] = [
  (thing, place, who, n) =>
    `The ${thing} of ${place} was first drawn in ${1500 + n} by ${who} who never came back to see it finished`,
  (thing, place, _who, n) =>
    `Some ${n} people now work at the ${thing} in ${place} and most of them walk there before seven in the morning`,
  (thing, place, who, n) =>
    `A fire in ${1600 + n} took the roof of the ${thing} and ${who} paid for a new one made of copper from ${place}`,
  (thing, place, _who, n) =>
    `Visitors to ${place} leave about ${n + 40} letters a year in a wooden box beside the door of the ${thing}`,
  (thing, place, who, n) =>
    `On winter evenings ${who} can be heard reading the old records of the ${thing} aloud to guests from ${place} number ${n}`,
  (thing, place, who, n) =>
    `The council of ${place} wants to close the ${thing} for ${n} weeks while ${who} counts what is kept in its cellar`,
  (thing, place, _who, n) =>
    `Nobody in ${place} remembers why the ${thing} has ${n + 3} windows on one side and only a single one on the other`,
]

const pick = <T>(list: readonly T[], at: number): T => {
  const found = list[at % list.length]
  if (found === undefined) throw new Error('an empty list')
  return found
}

/** The text of a page, by its number: a title, and six sentences of some twenty words. */
export function makeFrameworkText(number: number): FrameworkText {
  const [thing, place, who] = [
    pick(things, number),
    pick(places, number * 5 + Math.floor(number / 12)),
    pick(people, number * 3),
  ]
  return {
    title: `How the ${thing} of ${place} keeps its ${number + 10} secrets`,
    sentences: Array.from(
      { length: 6 },
      (_, at) => `${pick(templates, number + at)(thing, place, who, 100 + number * 7 + at)}.`,
    ),
    numbers: Array.from({ length: 6 }, (_, at) => ({
      label: `${pick(things, number + at)} visits`,
      value: String(10_000 + number * 977 + at * 131),
    })),
  }
}
