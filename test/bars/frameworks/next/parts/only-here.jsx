'use client'
import dynamic from 'next/dynamic'

export const OnlyHere = dynamic(async () => (await import('./fetched.jsx')).Fetched, { ssr: false })
