# Installs ralph for this user: install.ps1 [uninstall] [-Dir DIR]
# The folder is %LOCALAPPDATA%\Programs\ralph, or RALPH_INSTALL_DIR, or -Dir. RALPH_UPDATE_URL names a mirror.
param([Parameter(Position = 0)][ValidateSet('', 'uninstall')][string]$Action = '', [string]$Dir = '', [switch]$Uninstall)

$ErrorActionPreference = 'Stop'
$ProgressPreference = 'SilentlyContinue'
Set-StrictMode -Version Latest
# On older systems, Windows PowerShell defaults to protocols that servers refuse.
[Net.ServicePointManager]::SecurityProtocol = [Net.ServicePointManager]::SecurityProtocol -bor [Net.SecurityProtocolType]::Tls12

# Scripts called ralph-NAME that are `ralph NAME`: programs of the bash original.
$Linked = 'setup', 'enable', 'import', 'monitor'
function Get-LinkText([string]$Name) { return "@`"%~dp0ralph.exe`" $Name %*" }
function Test-OurLink([string]$Path, [string]$Name) {
    return (Test-Path -PathType Leaf $Path) -and ("$(Get-Content -Raw $Path)".Trim() -eq (Get-LinkText $Name))
}

# Every ralph program contains the name of this variable.
function Test-Ralph([string]$Path) {
    return [bool](Select-String -LiteralPath $Path -Pattern 'RALPH_UPDATE_URL' -SimpleMatch -CaseSensitive -Quiet)
}

function Get-Base {
    $base = if ($env:RALPH_UPDATE_URL) { $env:RALPH_UPDATE_URL } else { '@RALPH_BASE@' }
    if (-not $base) { throw 'This script does not know where the releases are: set RALPH_UPDATE_URL.' }
    # Only https is safe on a network; loopback addresses need no protection.
    if ($base -notmatch '^https://' -and $base -notmatch '^http://(127\.0\.0\.1|localhost|\[::1\])(:\d+)?(/|$)') {
        throw "$base is refused: only https is safe."
    }
    return $base.TrimEnd('/')
}

function Get-Target {
    # In a 32-bit PowerShell, the second variable names the real processor.
    $processor = if ($env:PROCESSOR_ARCHITEW6432) { $env:PROCESSOR_ARCHITEW6432 } else { $env:PROCESSOR_ARCHITECTURE }
    switch ($processor) {
        'AMD64' { return 'windows-x64' }
        'ARM64' { return 'windows-arm64' }
        default { throw "There is no program for $processor processors." }
    }
}

function Get-ReleaseFile([string]$Base, [string]$Name, [string]$Folder) {
    $path = Join-Path $Folder $Name
    Invoke-WebRequest -UseBasicParsing -Uri "$Base/$Name" -OutFile $path
    return $path
}

function Assert-Signature([string]$Base, [string]$Sums, [string]$Folder) {
    $key = '@RALPH_PUBLIC_KEY@'
    if (-not $key) { return }
    $openssl = Get-Command openssl -ErrorAction SilentlyContinue
    if (-not $openssl -or (& $openssl version) -notmatch '^OpenSSL [3-9]') {
        Write-Host 'no OpenSSL 3 to check the signature with: not checked'
        return
    }
    $signature = Get-ReleaseFile $Base 'SHA256SUMS.sig' $Folder
    $pem = Join-Path $Folder 'key.pem'
    Set-Content -Path $pem -Value $key -Encoding ascii
    # Windows PowerShell treats a program's stderr output as an error of its own.
    $ErrorActionPreference = 'Continue'
    & $openssl pkeyutl -verify -pubin -inkey $pem -rawin -in $Sums -sigfile $signature *> $null
    if ($LASTEXITCODE -ne 0) { throw 'The signature of the release is wrong: nothing was installed.' }
    Write-Host 'the signature of the release is right'
}

function Assert-Sum([string]$Sums, [string]$Path) {
    $name = Split-Path $Path -Leaf
    $line = Get-Content $Sums | Where-Object { $_ -match "  $([regex]::Escape($name))$" }
    if (-not $line) { throw "The release has no $name." }
    $found = (Get-FileHash -Algorithm SHA256 -Path $Path).Hash
    if ($found -ne ($line -split ' ')[0]) { throw "$name does not have the checksum of the release: nothing was installed." }
}

function Install-Ralph([string]$Folder) {
    $base = Get-Base
    $program = Join-Path $Folder 'ralph.exe'
    if (Test-Path -PathType Container $program) { throw "$program is a folder: name another place with -Dir." }
    $scratch = Join-Path ([IO.Path]::GetTempPath()) "ralph-install-$PID"
    New-Item -ItemType Directory -Force -Path $scratch | Out-Null
    try {
        $asset = "ralph-$(Get-Target).zip"
        Write-Host "downloading $asset"
        $sums = Get-ReleaseFile $base 'SHA256SUMS' $scratch
        Assert-Signature $base $sums $scratch
        $archive = Get-ReleaseFile $base $asset $scratch
        Assert-Sum $sums $archive
        Expand-Archive -Force -Path $archive -DestinationPath $scratch
        $version = & (Join-Path $scratch 'ralph.exe') --version
        if ($LASTEXITCODE -ne 0) { throw 'The program does not run here.' }

        New-Item -ItemType Directory -Force -Path $Folder | Out-Null
        $isOther = (Test-Path $program) -and -not (Test-Ralph $program)
        # Windows does not allow overwriting a running program, only renaming it. An update removes leftovers with this name.
        $old = Join-Path $Folder $(if ($isOther) { 'ralph.old.exe' } else { ".ralph-$PID.old.exe" })
        # What was put aside before may be its user's only copy.
        for ($nth = 2; $isOther -and (Test-Path $old); $nth++) { $old = Join-Path $Folder "ralph.old$nth.exe" }
        if (Test-Path $program) {
            Remove-Item -Force -Path $old -ErrorAction SilentlyContinue
            Move-Item -Force -Path $program -Destination $old
        }
        try {
            Move-Item -Force -Path (Join-Path $scratch 'ralph.exe') -Destination $program
        } catch {
            if (Test-Path $old) { Move-Item -Force -Path $old -Destination $program }
            throw
        }
        if ($isOther) { Write-Host "the other program that was called ralph is now $old" }
        else { Remove-Item -Force -Path $old -ErrorAction SilentlyContinue }
        foreach ($name in $Linked) {
            $link = Join-Path $Folder "ralph-$name.cmd"
            if ((Test-Path $link) -and -not (Test-OurLink $link $name)) {
                Write-Host "stays: $link, another program of that name; ralph's own is: ralph $name"
                continue
            }
            Set-Content -Path $link -Value (Get-LinkText $name) -Encoding ascii
        }
        Write-Host "ralph $version is in $program"
    } finally {
        Remove-Item -Recurse -Force -Path $scratch -ErrorAction SilentlyContinue
    }
    if (($env:Path -split ';' | ForEach-Object { $_.TrimEnd('\') }) -notcontains $Folder) {
        $quoted = $Folder.Replace("'", "''")
        Write-Host "$Folder is not on your PATH. Add it:"
        Write-Host "  [Environment]::SetEnvironmentVariable('Path', [Environment]::GetEnvironmentVariable('Path', 'User') + ';$quoted', 'User')"
    }
    Write-Host 'see it work: ralph demo'
}

function Uninstall-Ralph([string]$Folder) {
    $program = Join-Path $Folder 'ralph.exe'
    if (-not (Test-Path $program)) { throw "There is no $program." }
    if (-not (Test-Ralph $program)) { throw "$program is another program of that name: it was not removed." }
    $cache = Join-Path $env:LOCALAPPDATA 'ralph\Cache'
    $links = @($Linked | Where-Object { Test-OurLink (Join-Path $Folder "ralph-$_.cmd") $_ } |
            ForEach-Object { Join-Path $Folder "ralph-$_.cmd" })
    foreach ($part in $links + @($program, $cache)) {
        if (-not (Test-Path $part)) { continue }
        Remove-Item -Recurse -Force -Path $part
        Write-Host "removed $part"
    }
    foreach ($aside in @(Get-ChildItem -Path $Folder -Filter 'ralph.old*.exe' -ErrorAction SilentlyContinue)) {
        Write-Host "stays: $($aside.FullName), the other program that was called ralph"
    }
    $userHome = if ($env:HOME) { $env:HOME } else { $env:USERPROFILE }
    foreach ($kept in @((Join-Path $env:APPDATA 'ralph'), (Join-Path $userHome '.ralph'))) {
        if (Test-Path $kept) { Write-Host "stays: $kept, drivers, templates and the like" }
    }
    Write-Host 'stays: .ralph in each project, with its settings and runs'
}

if (-not $Dir) {
    $Dir = if ($env:RALPH_INSTALL_DIR) { $env:RALPH_INSTALL_DIR } else { Join-Path $env:LOCALAPPDATA 'Programs\ralph' }
}
# PATH needs an absolute folder.
$Dir = $ExecutionContext.SessionState.Path.GetUnresolvedProviderPathFromPSPath($Dir).TrimEnd('\')
if ($Uninstall -or $Action) { Uninstall-Ralph $Dir } else { Install-Ralph $Dir }
