/** Property names that callers use, and the paths in schema.org that hold them; the first path with a value wins. */
const NAMES: readonly (readonly [names: string, paths: string])[] = [
  ['title name', 'name headline title'],
  ['headline', 'headline name'],
  ['description', 'description'],
  ['image imageurl photo picture mainimage featuredimage images photos pictures imageurls', 'image'],
  ['thumbnail thumbnailurl', 'thumbnailUrl'],
  ['url link permalink canonicalurl', 'url'],
  ['author authorname byline writtenby authors', 'author'],
  ['creator', 'creator author'],
  ['publisher publishername', 'publisher'],
  [
    'datepublished published publishedat publisheddate publishdate publicationdate publishedtime publishedon pubdate',
    'datePublished',
  ],
  [
    'datemodified modified modifiedat modifieddate updated updatedat lastmodified lastupdated dateupdated',
    'dateModified',
  ],
  ['language lang', 'inLanguage'],
  ['keywords tags', 'keywords'],
  ['section', 'articleSection'],
  ['category categories', 'category articleSection recipeCategory'],
  ['wordcount', 'wordCount'],
  ['body content text articlebody', 'articleBody'],
  ['rating ratingvalue averagerating stars', 'aggregateRating.ratingValue ratingValue'],
  ['reviewcount numberofreviews numreviews', 'aggregateRating.reviewCount reviewCount'],
  ['ratingcount numberofratings numratings', 'aggregateRating.ratingCount ratingCount'],
  ['bestrating', 'aggregateRating.bestRating bestRating'],
  ['price currentprice', 'offers.price offers.priceSpecification.price price priceSpecification.price'],
  ['ticketprice', 'offers.price'],
  ['currency pricecurrency', 'offers.priceCurrency offers.priceSpecification.priceCurrency priceCurrency currency'],
  ['lowprice minprice pricefrom', 'offers.lowPrice lowPrice'],
  ['highprice maxprice priceto', 'offers.highPrice highPrice'],
  ['availability instock available isavailable isinstock stockstatus', 'offers.availability availability'],
  ['condition itemcondition', 'offers.itemCondition itemCondition'],
  ['seller sellername', 'offers.seller seller'],
  ['brand brandname', 'brand'],
  ['manufacturer', 'manufacturer'],
  ['sku', 'sku'],
  ['gtin', 'gtin gtin13 gtin14 gtin12 gtin8'],
  ['ean', 'gtin13 gtin'],
  ['upc', 'gtin12'],
  ['colour color', 'color'],
  ['ingredients ingredient ingredientlist recipeingredients', 'recipeIngredient ingredients'],
  ['instructions steps directions method preparation', 'recipeInstructions'],
  ['preptime preparationtime preptimeminutes prepminutes', 'prepTime'],
  ['cooktime cookingtime cooktimeminutes cookminutes', 'cookTime'],
  ['totaltime totaltimeminutes totalminutes duration', 'totalTime duration'],
  ['servings serves yield portions recipeservings', 'recipeYield yield'],
  ['cuisine', 'recipeCuisine servesCuisine'],
  ['calories kcal', 'nutrition.calories calories'],
  ['protein proteincontent', 'nutrition.proteinContent proteinContent'],
  ['fat fatcontent', 'nutrition.fatContent fatContent'],
  ['start startdate startsat startdatetime', 'startDate'],
  ['end enddate endsat enddatetime', 'endDate'],
  ['doortime doors', 'doorTime'],
  ['venue location venuename locationname place', 'location'],
  ['address', 'address location.address jobLocation.address'],
  [
    'street streetaddress',
    'streetAddress address.streetAddress location.address.streetAddress jobLocation.address.streetAddress',
  ],
  [
    'city town locality',
    'addressLocality address.addressLocality location.address.addressLocality jobLocation.address.addressLocality',
  ],
  [
    'region state',
    'addressRegion address.addressRegion location.address.addressRegion jobLocation.address.addressRegion',
  ],
  [
    'postalcode zip zipcode postcode',
    'postalCode address.postalCode location.address.postalCode jobLocation.address.postalCode',
  ],
  [
    'country',
    'addressCountry address.addressCountry location.address.addressCountry jobLocation.address.addressCountry',
  ],
  ['organizer organiser host', 'organizer'],
  ['performer performers artist artists speaker speakers lineup', 'performer'],
  ['eventstatus', 'eventStatus'],
  ['attendancemode', 'eventAttendanceMode'],
  ['ticketurl ticketlink', 'offers.url'],
  ['isfree free', 'isAccessibleForFree'],
  ['company companyname employer hiringorganization organization', 'hiringOrganization'],
  ['employmenttype jobtype contracttype', 'employmentType'],
  ['salary', 'baseSalary.value.value baseSalary.value'],
  ['salarymin minsalary salaryfrom', 'baseSalary.value.minValue baseSalary.minValue'],
  ['salarymax maxsalary salaryto', 'baseSalary.value.maxValue baseSalary.maxValue'],
  ['salarycurrency', 'baseSalary.currency salaryCurrency'],
  ['salaryunit salaryperiod', 'baseSalary.value.unitText baseSalary.unitText'],
  ['dateposted posted postedat posteddate postingdate', 'datePosted'],
  ['validthrough expires expiresat closingdate deadline applicationdeadline', 'validThrough'],
  ['remote isremote', 'jobLocationType'],
  ['experience', 'experienceRequirements'],
  ['education', 'educationRequirements'],
  ['benefits', 'jobBenefits'],
  ['identifier reference jobid', 'identifier.value identifier'],
  ['phone telephone', 'telephone'],
  ['email', 'email'],
]

/** Meanings of a name for one kind of item, in place of the general ones. */
const BY_KIND: Readonly<Record<string, readonly (readonly [names: string, paths: string])[]>> = {
  Article: [
    ['title name', 'headline name'],
    ['date', 'datePublished'],
    ['category', 'articleSection'],
  ],
  Recipe: [
    ['category course', 'recipeCategory'],
    ['method', 'cookingMethod'],
    ['date', 'datePublished'],
  ],
  Event: [
    ['date starttime', 'startDate'],
    ['endtime', 'endDate'],
    ['status', 'eventStatus'],
  ],
  JobPosting: [
    ['title name role position', 'title name'],
    ['location joblocation', 'jobLocation'],
    ['date', 'datePosted'],
  ],
  HowTo: [
    ['instructions steps directions method', 'step steps'],
    ['supplies supply materials', 'supply'],
    ['tools tool equipment', 'tool'],
  ],
  Question: [
    ['title name', 'name'],
    ['question q', 'name text'],
    ['answer a response reply', 'acceptedAnswer suggestedAnswer'],
    ['answers responses replies', 'acceptedAnswer+suggestedAnswer'],
    ['answercount numberofanswers', 'answerCount'],
    ['votes upvotes score', 'upvoteCount'],
  ],
  Answer: [
    ['answer body content text', 'text'],
    ['votes upvotes score', 'upvoteCount'],
  ],
}

/**
 * All meanings of a name for things that also stand beside what a page is about: its owner, its author, its questions. A
 * name that has another meaning in general, such as `price`, asks for something else.
 */
const BY_CLOSED_KIND: Readonly<Record<string, readonly (readonly [names: string, paths: string])[]>> = {
  Organization: [
    [
      'name organization organizationname organisation organisationname company companyname business businessname',
      'name legalName',
    ],
    ['venue venuename place placename location locationname', 'name'],
    ['about', 'description'],
    ['website homepage', 'url'],
    ['telephone phone phonenumber', 'telephone contactPoint.telephone'],
    ['email emailaddress', 'email contactPoint.email'],
    ['fax faxnumber', 'faxNumber contactPoint.faxNumber'],
    ['logo logourl', 'logo'],
    ['founder founders foundedby', 'founder founders'],
    ['founded foundingdate foundedin foundedon yearfounded', 'foundingDate'],
    ['employees numberofemployees employeecount', 'numberOfEmployees.value numberOfEmployees'],
    ['vat vatid vatnumber', 'vatID'],
    ['openinghours hours', 'openingHours openingHoursSpecification'],
    ['latitude lat', 'geo.latitude latitude'],
    ['longitude lng lon', 'geo.longitude longitude'],
    ['brand brandname', 'brand'],
    ['slogan tagline motto', 'slogan'],
    ['menu menuurl', 'hasMenu menu'],
  ],
  Person: [
    ['name fullname personname person', 'name'],
    ['firstname', 'givenName'],
    ['lastname surname', 'familyName'],
    ['title jobtitle position role job', 'jobTitle'],
    ['company companyname employer organization organisation', 'worksFor affiliation'],
    ['bio biography about', 'description'],
    ['website homepage', 'url'],
    ['telephone phone phonenumber', 'telephone contactPoint.telephone'],
    ['email emailaddress', 'email contactPoint.email'],
    ['born birthday dateofbirth', 'birthDate'],
    ['skills expertise topics', 'knowsAbout'],
    ['school university education', 'alumniOf'],
  ],
  FAQPage: [
    ['title name', 'name headline'],
    [
      'faq faqs faqitems faqlist questions questionsandanswers questionsanswers qa qas qanda items entries mainentity',
      'mainEntity hasPart',
    ],
  ],
}

/** Names with the same meaning in general and for the things of {@link BY_CLOSED_KIND}, the first of their row. */
const SHARED: ReadonlySet<string> = new Set(
  'description image url address street city region postalcode country rating reviewcount ratingcount bestrating cuisine'.split(
    ' ',
  ),
)

/** Names of profiles at other sites. */
const PROFILES = [
  'sameas socials socialmedia sociallinks socialprofiles socialmedialinks profiles profilelinks',
  'sameAs',
] as const

/** Names that say nothing of what kind a thing is. */
const DESCRIPTIVE: ReadonlySet<string> = new Set(
  'title name headline description about image url website link logo'.split(' '),
)

/** Normalises a name for comparison. */
export const bareName = (name: string): string => name.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '')

const index = (rows: readonly (readonly [names: string, paths: string])[]): Map<string, readonly string[]> =>
  new Map(rows.flatMap(([names, paths]) => names.split(' ').map((name) => [name, paths.split(' ')] as const)))

const general = index(NAMES)
const kinds = new Map(Object.entries(BY_KIND).map(([kind, rows]) => [kind, index(rows)]))
const shared = NAMES.filter(([names]) => SHARED.has(names.split(' ', 1)[0] ?? ''))
const closedKinds = new Map(
  Object.entries(BY_CLOSED_KIND).map(([kind, rows]) => [
    kind,
    index(kind === 'FAQPage' ? rows : [...shared, PROFILES, ...rows]),
  ]),
)

/** Paths to search for a property in an item of this kind. A name of schema.org itself is searched for as it is. */
export function pathsOf(property: string, kind: string | undefined): readonly string[] {
  const name = bareName(property)
  const closed = closedKinds.get(kind ?? '')
  const find = (one: string): readonly string[] | undefined =>
    closed ? closed.get(one) : (kinds.get(kind ?? '')?.get(one) ?? general.get(one))
  const found = find(name)
  if (found) return found
  // `productName` is the name of the product, `jobTitle` the title of the job, `companyPhone` that of the company.
  const owner = (closed ? CLOSED_OWNERS : OWNERS).find((one) => name.startsWith(one) && name.length > one.length)
  return (owner === undefined ? undefined : find(name.slice(owner.length))) ?? []
}

/** True for the kinds of things that also stand beside what a page is about. */
export const isClosedKind = (kind: string): boolean => closedKinds.has(kind)

/** True for a name that asks for something else than a thing of this kind, such as the `price` of an organization. */
export const isForeign = (property: string, kind: string): boolean =>
  closedKinds.has(kind) && general.has(bareName(property)) && pathsOf(property, kind).length === 0

/** True for a name that tells what kind of thing is asked for, such as `telephone`. */
export const isTelling = (property: string): boolean => !DESCRIPTIVE.has(bareName(property))

/** True for a name of the questions of a page. */
export const isQuestions = (property: string): boolean => pathsOf(property, 'FAQPage').includes('mainEntity')

const CLOSED_OWNERS = ['company', 'organization', 'organisation', 'business', 'person', 'contact']
const OWNERS = ['product', 'article', 'recipe', 'event', 'job', 'item', 'post']
