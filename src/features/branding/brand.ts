/** The style of a button or an input, as CSS values. */
export interface ComponentStyle {
  background?: string
  textColor?: string
  borderColor?: string
  borderRadius?: string
  borderRadiusCorners?: Record<string, string>
  shadow?: string
  /** For inputs only. */
  focusBorderColor?: string
}

/** The visual identity of a site. Every field is optional; colours and sizes are CSS values. */
export interface Branding {
  colorScheme?: 'light' | 'dark'
  brandName?: string
  /** URL of the logo. */
  logo?: string
  fonts?: { family: string }[]
  colors?: Partial<
    Record<
      | 'primary'
      | 'secondary'
      | 'accent'
      | 'background'
      | 'textPrimary'
      | 'textSecondary'
      | 'link'
      | 'success'
      | 'warning'
      | 'error',
      string
    >
  >
  typography?: {
    fontFamilies?: Partial<Record<'primary' | 'heading' | 'code', string>>
    fontStacks?: Partial<Record<'primary' | 'heading' | 'body' | 'paragraph', string[]>>
    fontSizes?: Partial<Record<'h1' | 'h2' | 'h3' | 'body' | 'small', string>>
    lineHeights?: Record<string, number>
    fontWeights?: Record<string, number>
  }
  spacing?: {
    /** CSS pixels. */
    baseUnit?: number
    padding?: Record<string, string>
    margins?: Record<string, string>
    gridGutter?: string
    borderRadius?: string
  }
  components?: Partial<Record<'buttonPrimary' | 'buttonSecondary' | 'input', ComponentStyle>>
  icons?: Record<string, unknown>
  images?: Partial<Record<'logo' | 'logoHref' | 'logoAlt' | 'favicon' | 'ogImage', string>>
  animations?: Record<string, unknown>
  layout?: Record<string, unknown>
  tone?: Record<string, unknown>
  personality?: Partial<Record<'tone' | 'energy' | 'targetAudience', string>>
}
