/** The names and images with which a page presents its site. Absolute URLs; inline drawings are `data:` URIs. */
export interface BrandSample {
  /** Names that the page gives to its site, the most reliable first. */
  readonly names: readonly string[]
  readonly logo?: { readonly src: string; readonly href?: string; readonly alt?: string }
  readonly favicon?: string
  readonly ogImage?: string
}

/** All text of one style, from anywhere on the page. Sizes are CSS pixels. */
export interface TextSample {
  readonly role: 'text' | 'link' | 'heading' | 'code'
  /** 1 to 6 for a heading, else 0. */
  readonly level: number
  /** True inside the header, the navigation or the footer of the page. */
  readonly isBoilerplate: boolean
  readonly isParagraph: boolean
  readonly colour: string
  readonly size: number
  readonly weight: number
  /** The whole `font-family` list. */
  readonly family: string
  /** Ratio of line height to font size; 0 for `normal`. */
  readonly lineHeight: number
  /** Characters. */
  readonly length: number
}

/** A button or an input. A colour that it does not have is an empty string. */
export interface ControlSample {
  readonly background: string
  /** The background colour behind the control. */
  readonly behind: string
  readonly text: string
  readonly border: string
  /** Radii of the four corners, from the upper left clockwise. */
  readonly radii: readonly string[]
  readonly shadow: string
  readonly padding: string
  /** CSS pixels, squared. */
  readonly area: number
  /** From the top of the page. CSS pixels. */
  readonly top: number
  readonly weight: number
  focusBorder: string
}

/** The colour of a message to the visitor, such as an alert. Its kind is read from its class. */
export interface NoticeSample {
  readonly kind: 'success' | 'warning' | 'error'
  readonly colour: string
}

/** An element with a background colour of its own, and its share of the window. */
export interface SurfaceSample {
  readonly colour: string
  readonly share: number
  readonly isHeader: boolean
}

/** Samples of the computed styles of a page, before they are interpreted. Colours are `#RRGGBB` or `#RRGGBBAA`. */
export interface ComputedStyleSample {
  /** Background colours at the points of a grid over the window. */
  readonly backgrounds: readonly string[]
  /** The background colour of the document itself. */
  readonly canvas: string
  readonly surfaces: readonly SurfaceSample[]
  readonly texts: readonly TextSample[]
  readonly buttons: readonly ControlSample[]
  readonly inputs: readonly ControlSample[]
  /** Colours in CSS custom properties of the root element. */
  readonly variables: readonly { readonly name: string; readonly colour: string }[]
  readonly themeColour: string
  readonly notices: readonly NoticeSample[]
  /** Paddings, margins and gaps, once for each occurrence. CSS pixels. */
  readonly distances: readonly number[]
  readonly gaps: readonly number[]
  readonly radii: readonly string[]
  readonly paragraphMargin: string
  readonly headingMargin: string
  readonly bodyFamily: string
}
