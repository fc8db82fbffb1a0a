# Completions of ralph for PowerShell 5.1 and newer.
Register-ArgumentCompleter -Native -CommandName ralph -ScriptBlock {
    param($wordToComplete, $commandAst, $cursorPosition)
    # Without the quotes typed around them.
    $elements = @($commandAst.CommandElements | Where-Object { $_.Extent.EndOffset -lt $cursorPosition } | ForEach-Object {
        if ($_ -is [System.Management.Automation.Language.StringConstantExpressionAst]) { $_.Value } else { $_.ToString() }
    })
    $before = @($elements | Select-Object -Skip 1)
    # A name from the project may hold text that PowerShell would run. Typographic quotes end a string, too.
    $quoted = { param($text) if ($text -match '^[\w./\\:=-]+$') { $text } else { "'" + ($text -replace "['\u2018-\u201b]", '$0$0') + "'" } }
    $offers = @(& $elements[0] __complete "=$wordToComplete" @before 2>$null)
    foreach ($offer in $offers) {
        if ($offer -eq '') { continue }
        if ($offer -eq ':files' -or $offer -eq ':folders') {
            $prefix = if ($wordToComplete -match '^(--[^=]+=)') { $Matches[1] } else { '' }
            $path = $wordToComplete.Substring($prefix.Length)
            Get-ChildItem -Path "$path*" -Directory:($offer -eq ':folders') | ForEach-Object {
                $name = $prefix + (Resolve-Path -Relative -LiteralPath $_.FullName)
                [System.Management.Automation.CompletionResult]::new((& $quoted $name), $_.Name, 'ProviderItem', $_.Name)
            }
            continue
        }
        $value, $says = $offer -split "`t", 2
        if (-not $says) { $says = $value }
        [System.Management.Automation.CompletionResult]::new((& $quoted $value), $value, 'ParameterValue', $says)
    }
}
