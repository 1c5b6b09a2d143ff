/**
 * Names that mean the same in rows of lists, without spaces and signs. English first, then German, French, Spanish, Italian,
 * Portuguese and Dutch.
 */
const MEANINGS: readonly string[] = [
  'title name headline heading productname producttitle itemname itemtitle jobtitle eventname eventtitle product item event job caption titel bezeichnung produkt artikel titre nom produit titulo nombre producto titolo nome prodotto produto naam',
  'url link href permalink website detailurl detailsurl pageurl producturl itemurl joburl eventurl titleurl lien enlace collegamento',
  'image picture photo img thumbnail thumb imageurl imagesrc pictureurl photourl thumbnailurl cover coverimage logo bild foto imagen immagine imagem afbeelding',
  'price cost amount currentprice saleprice unitprice fee preis kosten prix tarif precio costo prezzo preco prijs',
  'oldprice originalprice previousprice regularprice listprice wasprice rrp strikeprice comparedprice',
  'currency pricecurrency currencycode wahrung devise moneda valuta moeda',
  'date published publishedat datepublished publisheddate publishdate publicationdate pubdate posted postedat dateposted posteddate time datetime createdat created datum veroffentlicht fecha data',
  'updated updatedat lastupdated modified modifiedat datemodified lastmodified',
  'start startdate startsat starttime startdatetime begins from beginn debut inicio inizio',
  'end enddate endsat endtime enddatetime ends until ende fin fine fim',
  'author authorname byline writer creator writtenby postedby user username autor auteur autore',
  'description summary excerpt abstract snippet teaser details desc lead beschreibung resume descripcion descrizione descricao beschrijving',
  'rating ratingvalue stars score averagerating bewertung valoracion valutazione avaliacao',
  'reviews reviewcount reviewscount numberofreviews numreviews ratingcount ratings votes bewertungen avis resenas recensioni',
  'comments commentcount commentscount numberofcomments numcomments replies kommentare commentaires comentarios',
  'location place venue city town where address locationname venuename joblocation ort adresse direccion indirizzo endereco adres standort stadt lieu ville ubicacion ciudad luogo citta local cidade plaats',
  'country land pays pais paese',
  'company companyname employer hiringorganization organization organisation vendor firma unternehmen entreprise empresa azienda bedrijf',
  'brand brandname manufacturer maker marke marque marca merk',
  'salary pay wage basesalary compensation gehalt salaire salario stipendio',
  'category categories type kind section department genre kategorie categorie categoria',
  'tags tag keywords topics labels schlagworte',
  'availability instock stock stockstatus isavailable available isinstock verfugbarkeit lager disponibilite disponibilidad disponibilita disponibilidade',
  'id identifier sku productid itemid code articlenumber number nr nummer numero',
  'size dimensions grosse taille tamano dimensione tamanho',
  'weight gewicht poids peso',
  'quantity qty count menge anzahl quantite cantidad quantita quantidade aantal',
  'phone telephone phonenumber tel mobile telefon telefono telefone',
  'email mail emailaddress',
  'rank position place platz rang posizione',
  'status state zustand statut estado stato',
  'color colour farbe couleur cor colore',
  'version release',
  'license licence lizenz',
]

/** Words before a name that tell what it belongs to: `productTitle`, `job_location`. */
const OWNERS: ReadonlySet<string> = new Set(
  'product item job event article post entry card listing offer result book movie film record row story news page recipe property'.split(
    ' ',
  ),
)
/** Words after a name that tell what kind of value it is: `authorName`, `price_value`. */
const KINDS: ReadonlySet<string> = new Set(
  'name text value label info field string content title wrapper number'.split(' '),
)
/** Words that make a name the name of another value: `oldPrice`. */
const OTHERS: ReadonlySet<string> = new Set(
  'old original previous regular was before rrp list min max minimum maximum low high lowest highest from to second total average'.split(
    ' ',
  ),
)

/** A name in its words, for comparison with others. */
export interface NameWords {
  /** All letters and digits, in lower case, without accents. */
  readonly bare: string
  /** The words, singular, without numbers. */
  readonly words: readonly string[]
  /** Meanings of the whole name, or of the name without its owner or its kind. */
  readonly meanings: ReadonlySet<number>
}

const meaningsByName = indexMeanings()

function indexMeanings(): ReadonlyMap<string, readonly number[]> {
  const index = new Map<string, number[]>()
  for (const [meaning, names] of MEANINGS.entries())
    for (const name of names.split(' ')) {
      const known = index.get(name)
      if (known) known.push(meaning)
      else index.set(name, [meaning])
    }
  return index
}

/** Maximum length of a name that is compared. Characters. */
const MAX_NAME = 100

/** Splits a name in camel, kebab or snake case, or of several words, into its words. */
export function readName(name: string): NameWords {
  const plain = name
    .slice(0, MAX_NAME)
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/(\p{Ll}|\d)(\p{Lu})/gu, '$1 $2')
    .replace(/(\p{Lu})(\p{Lu}\p{Ll})/gu, '$1 $2')
    .toLowerCase()
  const parts = plain.match(/\p{L}+/gu) ?? []
  const words = parts.map(singular)
  const bare = plain.replace(/[^\p{L}\p{N}]/gu, '')
  const meanings = new Set(
    [parts, withoutOwner(parts), withoutKind(parts), withoutKind(withoutOwner(parts))].flatMap(
      (own) => meaningsByName.get(own.join('')) ?? meaningsByName.get(own.map(singular).join('')) ?? [],
    ),
  )
  return { bare, words, meanings }
}

const singular = (word: string): string => (/[^siu]s$/u.test(word) && word.length > 3 ? word.slice(0, -1) : word)

const withoutOwner = (words: readonly string[]): readonly string[] =>
  words.length > 1 && OWNERS.has(singular(words[0] ?? '')) ? words.slice(1) : words

const withoutKind = (words: readonly string[]): readonly string[] =>
  words.length > 1 && KINDS.has(words.at(-1) ?? '') ? words.slice(0, -1) : words

/** Scores of names, from the same name to one that only shares words. A higher score is preferred. */
const SAME = 10
const SAME_WORDS = 9
const SAME_MEANING = 7
const SAME_WITHOUT_OWNER = 8
const SHARED_WORDS = 3

/** Score from which a name alone is sure evidence. */
export const SURE_SCORE = 6.5

/** Compares two names. Returns 0 for names that have nothing in common. */
export function compareNames(one: NameWords, other: NameWords): number {
  if (one.bare !== '' && one.bare === other.bare) return SAME
  if (one.words.length === 0 || other.words.length === 0) return 0
  const score = compareWords(one, other)
  // `price2` is another price.
  return score > 0 && /\d$/u.test(other.bare) !== /\d$/u.test(one.bare) ? score - 0.5 : score
}

function compareWords(one: NameWords, other: NameWords): number {
  if (areEqual(one.words, other.words)) return SAME_WORDS
  const differ = [one, other].some(({ words }, at) =>
    words.some((word) => OTHERS.has(word) && !(at === 0 ? other : one).words.includes(word)),
  )
  if (!differ && areEqual(bareWords(one.words), bareWords(other.words))) return SAME_WITHOUT_OWNER
  const shares = [...one.meanings].some((meaning) => other.meanings.has(meaning))
  if (shares) return differ ? SHARED_WORDS : SAME_MEANING
  const common = one.words.filter((word) => other.words.includes(word) && !KINDS.has(word)).length
  const least = Math.min(one.words.length, other.words.length)
  return common > 0 && common >= least ? SHARED_WORDS : 0
}

const bareWords = (words: readonly string[]): readonly string[] => withoutKind(withoutOwner(words))

const areEqual = (one: readonly string[], other: readonly string[]): boolean =>
  one.length === other.length && [...one].sort().join(' ') === [...other].sort().join(' ')
