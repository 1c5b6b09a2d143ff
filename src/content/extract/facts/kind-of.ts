import type { StructuredItem } from '../structured-data/structured-item.js'

/** Kinds of items that a page may be about, by the names of schema.org types. */
const KINDS: readonly (readonly [kind: string, pattern: RegExp])[] = [
  [
    'Product',
    /^(?:Product|ProductGroup|ProductModel|IndividualProduct|Vehicle|Car|Book|Movie|SoftwareApplication|MobileApplication|WebApplication|VideoGame)$/,
  ],
  ['Recipe', /^Recipe$/],
  ['JobPosting', /^JobPosting$/],
  ['Event', /(?:Event|Festival|EventSeries|CourseInstance)$/],
  ['Article', /(?:Article|Posting|Report|Review|Blog)$/],
  ['VideoObject', /^VideoObject$/],
  ['Course', /^Course$/],
]

const words = (list: string): readonly string[] => list.split(/\s+/).filter(Boolean)

/** Ends of the names of organizations and places. schema.org has some 200 types of them. */
const ORGANIZATIONS = words(`
  Organization Organisation Corporation Business Store Shop Restaurant Establishment AccountingService EmergencyService
  FinancialService LegalService ProfessionalService BankOrCreditUnion BarOrPub Agency Dealer Repair Group Team Company
  Club Center Centre Office Station School University College Preschool Hotel Motel Hostel Resort Campground
  BedAndBreakfast Bakery Brewery Distillery Winery Salon Spa Gym Clinic Hospital Dentist Physician Optician Pharmacy
  Attorney Notary Electrician Plumber Contractor Painter Locksmith Theater Casino Gallery Museum Library Zoo Aquarium
  Airport Airline Venue Place Attraction Landmark LandmarksOrHistoricalBuildings Church Mosque Synagogue Temple Park Beach
  Cemetery GolfCourse Alley Rental Wash Storage Laundry Care Courthouse Embassy CityHall Outlet Florist Garage NGO
  Consortium Project CivicStructure
`)

/**
 * Kinds of items that stand on pages about other things as well, by the ends of the names of their types: each is the
 * subject of a page only if it answers more than the items of {@link KINDS}.
 */
const OTHER_KINDS: readonly (readonly [kind: string, ends: readonly string[]])[] = [
  ['FAQPage', ['FAQPage']],
  ['Question', ['Question']],
  ['Answer', ['Answer']],
  ['HowTo', ['HowTo']],
  ['Person', ['Person', 'Patient']],
  ['Organization', ORGANIZATIONS],
]

/** Ends of the names of parts of a site, and of values. They are no subject of a page. */
const PARTS = words(`
  Page Site List ListItem Action Element Rating Offer Object Specification Address Point Value Catalog Coordinates
  Comment Header Footer SideBar Brand HowToStep HowToSection HowToSupply HowToTool HowToDirection HowToTip
`)

const endsWithAny = (types: readonly string[], ends: readonly string[]): boolean =>
  types.some((type) => ends.some((end) => type.endsWith(end)))

/**
 * Classifies an item; undefined for items that describe no thing, such as the site, a breadcrumb or an address. Types
 * without a kind of their own are `Thing`.
 */
export function kindOf({ types }: StructuredItem): string | undefined {
  const subject = KINDS.find(([, pattern]) => types.some((type) => pattern.test(type)))
  const known = subject ?? OTHER_KINDS.find(([, ends]) => endsWithAny(types, ends))
  if (known) return known[0]
  return types.length > 0 && !endsWithAny(types, PARTS) ? 'Thing' : undefined
}

const SUBJECTS: ReadonlySet<string> = new Set(KINDS.map(([kind]) => kind))

/** True for the kinds that a page is about, whatever is asked for. */
export const isSubject = (kind: string): boolean => SUBJECTS.has(kind)
