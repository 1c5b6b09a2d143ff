/** The role of an object's property, derived from its name. */
type FieldRole = 'title' | 'body' | 'teaser' | 'label' | 'other'

/** Normalizes a name: `contentHTML`, `content_html` and `content-html` are equal. */
const plain = (name: string): string => name.replace(/[^a-z\d]/gi, '').toLowerCase()

/**
 * Names of properties that are not content of the page: translations of the interface, settings, menus, cookie banners,
 * related pages, metadata for machines, and error messages.
 */
const irrelevant =
  /^(?:i18n|nexti18next|messages|translations?|locales?|dictionar(?:y|ies)|localization|strings|env|config|runtimeconfig|siteconfig|settings|sitesettings|flags|featureflags|experiments|theme|nav|navigation|navbar|menus?|mainmenu|footer|header|sidebar|breadcrumbs?|cookies?|cookieconsent|consent|gdpr|legal|privacy|seo|meta|metadata|metatags|head|opengraph|og|twitter|schema|jsonld|structureddata|errors?|notfound|forbidden|unauthorized|loading|fallback|placeholder|analytics|tracking|ads?|advert\w*|newsletter|related\w*|recommend\w*|similar\w*|youmay\w*|popular\w*|trending\w*|latest\w*|morefrom\w*|next(?:post|article|page)?|prev(?:ious)?(?:post|article|page)?|session|viewer|currentuser|csrf\w*|routes|manifest|css|styles?|scripts?|query|variables|keywords|alt\w*|aria\w*|classname|srcset|sizes|icon|template|layout|typename|noscript|modals?|drawers?|popups?|banners?|announcements?|promos?|promotions?|globals?|globaldata|shared|layoutdata|site|sitedata|common|ui|labels|copy|abtests?|gates?|feature\w*flags?)$/
const titles = /^(?:title|headline|heading|name|question|displayname|posttitle|articletitle|productname|h1)$/
const bodies =
  /^(?:content|contents|body|bodytext|html|\w*html|richtext|text|fulltext|longtext|markdown|\w*markdown|md|mdx|articlebody|story|paragraphs?|longdescription|fulldescription|descriptionhtml|answer|acceptedanswer|instructions|recipeinstructions|steps|biography|bio|rendered|raw|children|document|reviewbody|message)$/
const teasers =
  /^(?:excerpt|summary|teaser|snippet|abstract|intro|short\w*|preview|description|tagline|blurb|subtitle|subheading|subheadline|dek|lead|lede|standfirst|kicker)$/
const labels =
  /^(?:label|value|price|author|byline|category|caption|location|role|unit|quantity|amount|brand|ingredients?|recipeingredient|features|highlights|facts|cta|city|place|venue|term|definition|username|status|duration|level|date|publisheddate|displaydate|author\w*name|fullname)$/

/** Names of properties with an excerpt of the body in the same object. */
const excerpts = /^(?:excerpt|summary|teaser|snippet|abstract|short\w*|preview|description|blurb)$/

/** Names of properties with the object's own URL or path. */
const addresses = /^(?:slug|handle|permalink|path|pathname|url|uri|canonicalurl|fullslug)$/

/** Names of lists that a page may be about. If such a list is empty, a later request of the page probably fills it. */
const lists = /^(?:items|products|results|posts|articles|entries|rows|edges|nodes|hits|records|stories|listings)$/

/** Maximum length of a name to look up; no known one is longer. Characters. */
const MAX_NAME = 60

/** Properties of a value that are derived from its name in the data. */
export interface Field {
  readonly role: FieldRole
  /** True for a property that is not content of the page. */
  readonly isIrrelevant: boolean
  /** True for an excerpt, which is not shown beside the whole text. */
  readonly isExcerpt: boolean
  readonly isAddress: boolean
  readonly isMainList: boolean
}

export function describeField(name: string): Field {
  const known = name.length > MAX_NAME ? '' : plain(name)
  return {
    role: roleOf(known),
    isIrrelevant: name.startsWith('__') || irrelevant.test(known),
    isExcerpt: excerpts.test(known),
    isAddress: addresses.test(known),
    isMainList: lists.test(known),
  }
}

function roleOf(known: string): FieldRole {
  if (titles.test(known)) return 'title'
  if (bodies.test(known)) return 'body'
  if (teasers.test(known)) return 'teaser'
  return labels.test(known) ? 'label' : 'other'
}
